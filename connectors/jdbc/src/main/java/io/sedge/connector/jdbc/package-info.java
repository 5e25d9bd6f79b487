/**
 * The connector {@code jdbc}: tables of PostgreSQL, MariaDB, MySQL and SQLite. Read {@link
 * io.sedge.connector.jdbc.JdbcConnector} first; then, in {@code internal}, {@code JdbcSink} and
 * {@code JdbcReader}. Each open table has one connection, and one thread that alone uses it; rows
 * are made and taken on the task's thread.
 */
@NullMarked
package io.sedge.connector.jdbc;

import org.jspecify.annotations.NullMarked;
