package io.sedge.engine.operator;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Small plans over readings of sensors: (sensor STRING, value BIGINT, ts TIMESTAMP(3)). */
final class Plans {
  static final Type TIME = Type.timestamp(3);
  static final Schema READINGS =
      Rows.schema("sensor", Type.STRING, "value", Type.BIGINT, "ts", TIME);

  private Plans() {}

  /** The readings of a table with {@code WATERMARK FOR ts AS ts - delay}. */
  static PlanNode readings(String table, long delay) {
    return new PlanNode.Watermark(
        new PlanNode.Scan(table, READINGS), 2, TestFunctions.minus(2, TIME, delay));
  }

  static Pipeline compile(PlanNode node, Map<String, Output> sinks) {
    return Pipeline.compile(
        new Plan(List.of(new Plan.SinkNode("out", node))),
        TestFunctions.REGISTRY,
        BuiltinAggregates.registry(),
        sinks);
  }

  static OperatorHarness harness(PlanNode node) {
    return OperatorHarness.pipeline(sinks -> compile(node, sinks), "out");
  }

  static AggregateCall call(String function, Type type, String name, Object... parameters) {
    List<Expression.Literal> literals = new ArrayList<>();
    for (Object parameter : parameters) {
      literals.add(
          new Expression.Literal(parameter, parameter instanceof Integer ? Type.INT : type));
    }
    boolean bare = function.equals("ROW_NUMBER");
    return new AggregateCall(
        function,
        bare ? List.of() : List.of(1),
        bare ? List.of() : List.of(Type.BIGINT),
        literals,
        -1,
        false,
        type,
        name);
  }

  /** A schema with more BIGINT columns. */
  static Schema with(Schema schema, String... names) {
    Schema.Builder builder = Schema.builder().addAll(schema);
    for (String name : names) {
      builder.add(name, Type.BIGINT);
    }
    return builder.build();
  }

  /** A reading as a test's model sees it. */
  record Reading(@Nullable String sensor, @Nullable Long value, long time, int arrival) {
    List<@Nullable Object> row(@Nullable Object... more) {
      List<@Nullable Object> row = new ArrayList<>();
      row.add(sensor);
      row.add(value);
      row.add(time);
      for (Object each : more) {
        row.add(each);
      }
      return row;
    }
  }

  /** Readings whose times rise by a few with each, and are off by up to {@code disorder}. */
  static List<Reading> random(Random random, int count, int sensors, int disorder, long step) {
    List<Reading> readings = new ArrayList<>();
    long time = 1_000;
    for (int i = 0; i < count; i++) {
      time += random.nextLong(step + 1);
      readings.add(
          new Reading(
              "s" + random.nextInt(sensors),
              random.nextInt(8) == 0 ? null : (long) random.nextInt(20),
              time - random.nextInt(disorder + 1),
              i));
    }
    return readings;
  }

  static Batch batch(List<Reading> readings) {
    Rows rows = Rows.of(READINGS);
    readings.forEach(reading -> rows.add(reading.sensor(), reading.value(), reading.time()));
    return rows.build();
  }

  /** Offers readings in batches of 37 and ends the table. */
  static OperatorHarness feed(OperatorHarness harness, String table, List<Reading> readings) {
    for (int i = 0; i < readings.size(); i += 37) {
      harness.offer(table, batch(readings.subList(i, Math.min(readings.size(), i + 37))));
    }
    return harness.advance(table, Long.MAX_VALUE);
  }
}
