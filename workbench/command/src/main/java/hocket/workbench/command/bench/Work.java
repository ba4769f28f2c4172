package hocket.workbench.command.bench;

/** Something that can be done again and again, to be measured. */
interface Work extends AutoCloseable {
    /** Does it so many times. */
    void run(int times);

    @Override
    void close();
}
