/**
 * The connector {@code sparkplug}: metrics of Sparkplug B 3.0 edge nodes, read as a host
 * application does. Read {@link io.sedge.connector.sparkplug.SparkplugConnector} first; then, in
 * {@code internal}, {@code Host} and {@code SparkplugReader}. Each open table has a connection and
 * one thread for it; rows are made on the task's thread.
 */
@NullMarked
package io.sedge.connector.sparkplug;

import org.jspecify.annotations.NullMarked;
