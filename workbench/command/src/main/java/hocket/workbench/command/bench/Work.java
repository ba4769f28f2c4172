package hocket.workbench.command.bench;

/** Work that can be repeated, to be measured. */
interface Work extends AutoCloseable {
    /** Does the work the given number of times. */
    void run(int times);

    @Override
    void close();
}
