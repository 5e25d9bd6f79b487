package io.sedge.connector;

import io.sedge.alarm.AlarmStore;

/**
 * A connector whose sinks raise alarms. A program that has a place for them gives it each job's;
 * else they are kept by the connector itself, for nobody to see.
 */
public interface RaisesAlarms extends ConnectorFactory {
  /** The same connector, for the tables of one job. */
  ConnectorFactory keptIn(AlarmStore store);
}
