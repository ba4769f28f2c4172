package hocket.workbench.online;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The head of a batch in a segment: 40 bytes, then the client's name and the rows, then {@value #END_BYTES} bytes that
 * end it. All numbers are little-endian. The head has a checksum of its own, so that its length can be trusted if the
 * rest was changed.
 *
 * @param payload bytes of name and rows
 * @param record number of the first row in the queue
 * @param rows how many
 * @param client bytes of the client's name in UTF-8; 0 for a client without a name
 * @param sequence the client's own number of the first row
 * @param sum CRC-32C of the payload
 */
record BatchHeader(int payload, long record, int rows, int client, long sequence, int sum) {
    static final int HEAD_BYTES = 40;
    static final int END_BYTES = 4;
    private static final int MARK = 0x4d415246; // "FRAM"
    private static final int END = 0x21444e45; // "END!": a tail of zeros does not end so
    private static final int SUMMED = HEAD_BYTES - Integer.BYTES;

    /** Bytes in the file. */
    long bytes() {
        return (long) HEAD_BYTES + payload + END_BYTES;
    }

    /** Returns the number of the row after this batch. */
    long end() {
        return record + rows;
    }

    /** Returns the number of bytes before the rows, including the head. */
    int rowsAt() {
        return HEAD_BYTES + client;
    }

    static CRC32C crc() {
        return new CRC32C();
    }

    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes head and end around an existing payload. */
    static BatchHeader write(byte[] into, long record, int rows, int client, long sequence, int payload) {
        CRC32C sum = crc();
        sum.update(into, HEAD_BYTES, payload);
        BatchHeader batchHeader = new BatchHeader(payload, record, rows, client, sequence, (int) sum.getValue());
        ByteBuffer out = little(into);
        out.putInt(MARK).putInt(payload).putLong(record).putInt(rows).putInt(client);
        out.putLong(sequence).putInt(batchHeader.sum);
        sum.reset();
        sum.update(into, 0, SUMMED);
        out.putInt((int) sum.getValue());
        out.putInt(HEAD_BYTES + payload, END);
        return batchHeader;
    }

    /** Returns whether the first bytes are an unchanged head. */
    static boolean isHead(byte[] bytes) {
        CRC32C sum = crc();
        sum.update(bytes, 0, SUMMED);
        ByteBuffer in = little(bytes);
        return in.getInt(0) == MARK && in.getInt(SUMMED) == (int) sum.getValue();
    }

    /** Reads the head from the first bytes. */
    static BatchHeader read(byte[] bytes) {
        ByteBuffer in = little(bytes);
        return new BatchHeader(
                in.getInt(4), in.getLong(8), in.getInt(16), in.getInt(20), in.getLong(24), in.getInt(32));
    }

    /** Returns whether payload and end are as they were written. */
    boolean isWhole(byte[] bytes) {
        CRC32C sum = crc();
        sum.update(bytes, HEAD_BYTES, payload);
        return (int) sum.getValue() == this.sum && little(bytes).getInt(HEAD_BYTES + payload) == END;
    }

    /** Returns whether a head's values are possible, for rows of any size. */
    boolean isPossible() {
        return rows >= 1 && client >= 0 && payload > client && (payload - client) % rows == 0;
    }

    /** Returns whether a head's values are possible for rows of this size. */
    boolean isOf(int rowBytes) {
        return isPossible() && payload == client + (long) rows * rowBytes;
    }
}
