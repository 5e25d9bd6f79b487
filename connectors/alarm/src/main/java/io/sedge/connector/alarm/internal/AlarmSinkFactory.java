package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmStore;
import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;

/** Opens the sinks of one table. */
public record AlarmSinkFactory(AlarmOptions options, AlarmStore store, ConnectorContext context)
    implements SinkFactory {
  /** A row that goes takes its alarm back. */
  @Override
  public ChangelogMode changelogMode() {
    return ChangelogMode.UPSERT;
  }

  /** The store knows how far rows have come, in one step with what they have changed. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.EXACTLY_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    return new AlarmSink(options, store, delivery, context);
  }
}
