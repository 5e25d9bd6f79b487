package io.sedge.connector.center;

/**
 * How rows of a table are sent.
 *
 * @param table what it is called at the center
 * @param urgent whether they go before those of tables that are not
 * @param bufferBytes rows that may be under way
 * @param dropsOldest whether the oldest of them are dropped where more come; else they wait
 */
record SinkSettings(String table, boolean urgent, long bufferBytes, boolean dropsOldest) {}
