package hocket.gan.tables;

import hocket.schedulers.Source;

/** A source of the encoded rows of a table, which scores compare generated rows with. */
interface TableSource extends Source {
    /** The table. */
    TableData table();

    /** The encoding of its rows. */
    TableEncoding encoding();
}
