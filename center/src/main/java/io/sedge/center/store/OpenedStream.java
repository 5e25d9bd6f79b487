package io.sedge.center.store;

/**
 * A stream is known.
 *
 * @param id what it is called from now on, also after the store has been opened anew
 * @param sequence up to which its rows are stored; 0 for none
 */
public record OpenedStream(long id, long sequence) {}
