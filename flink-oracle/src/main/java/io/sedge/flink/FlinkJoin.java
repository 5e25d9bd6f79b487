package io.sedge.flink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/**
 * The join of a query alone, as Flink plans it, with rows and watermarks that come in a given
 * order: in a job of Flink's, which of two inputs is ahead is left to chance.
 */
final class FlinkJoin {
  /** What the script of a request to {@link FlinkProcess} begins with. */
  static final String REQUEST = "JOIN ALONE\n";

  private FlinkJoin() {}

  /**
   * @param script the tables
   * @param steps each {@code l KEY VALUE MILLIS} or {@code r KEY VALUE MILLIS}, a row of the left
   *     or right side, or {@code wl MILLIS} or {@code wr MILLIS}, the watermark of a side. The time
   *     of a row is that of its columns ts and window_time; that of window_end is one more.
   * @return the rows, each {@code +I} and the values of the columns k, v and ts of both sides
   */
  static Object run(String script, String query, List<String> steps) {
    try {
      return run(join(script, query), steps);
    } catch (Exception e) { // Flink throws all sorts
      return FlinkScripts.messages(e);
    }
  }

  @SuppressWarnings("unchecked") // the planner's operators take and give RowData
  private static TwoInputTransformation<RowData, RowData, RowData> join(
      String script, String query) {
    StreamTableEnvironment environment =
        StreamTableEnvironment.create(StreamExecutionEnvironment.getExecutionEnvironment());
    environment.getConfig().set("table.local-time-zone", "UTC");
    Statements.split(script).forEach(environment::executeSql);
    Transformation<?> part =
        environment
            .toChangelogStream(FlinkScripts.withoutTimeAttributes(environment.sqlQuery(query)))
            .getTransformation();
    while (!(part instanceof TwoInputTransformation<?, ?, ?>)) {
      part = part.getInputs().getFirst();
    }
    return (TwoInputTransformation<RowData, RowData, RowData>) part;
  }

  @SuppressWarnings("unchecked") // the planner's keys are RowData
  private static List<List<@Nullable Object>> run(
      TwoInputTransformation<RowData, RowData, RowData> join, List<String> steps) throws Exception {
    TwoInputStreamOperator<RowData, RowData, RowData> operator = join.getOperator();
    KeyedTwoInputStreamOperatorTestHarness<RowData, RowData, RowData, RowData> harness =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            operator,
            (KeySelector<RowData, RowData>) join.getStateKeySelector1(),
            (KeySelector<RowData, RowData>) join.getStateKeySelector2(),
            (TypeInformation<RowData>) join.getStateKeyType());
    try {
      harness.setup(join.getOutputType().createSerializer(new SerializerConfigImpl()));
      harness.open();
      RowType left = rowType(join.getInputType1());
      RowType right = rowType(join.getInputType2());
      for (String step : steps) {
        String[] words = step.split(" ", -1);
        switch (words[0]) {
          case "l" -> harness.processElement1(new StreamRecord<>(row(words, left)));
          case "r" -> harness.processElement2(new StreamRecord<>(row(words, right)));
          case "wl" -> harness.processWatermark1(new Watermark(Long.parseLong(words[1])));
          case "wr" -> harness.processWatermark2(new Watermark(Long.parseLong(words[1])));
          default -> throw new IllegalArgumentException("no step: " + step);
        }
      }
      return rows(harness.getOutput(), rowType(join.getOutputType()));
    } finally {
      harness.close();
    }
  }

  private static RowType rowType(TypeInformation<RowData> type) {
    return ((InternalTypeInfo<RowData>) type).toRowType();
  }

  private static BinaryRowData row(String[] words, RowType type) {
    long millis = Long.parseLong(words[3]);
    GenericRowData row = new GenericRowData(type.getFieldCount());
    for (int i = 0; i < type.getFieldCount(); i++) {
      row.setField(
          i,
          switch (type.getFieldNames().get(i)) {
            case "k" -> StringData.fromString(words[1]);
            case "v" -> Integer.valueOf(words[2]);
            case "ts", "window_time" -> TimestampData.fromEpochMillis(millis);
            case "window_start", "window_end" -> TimestampData.fromEpochMillis(millis + 1);
            default -> throw new IllegalArgumentException("no value for " + type);
          });
    }
    return new RowDataSerializer(type).toBinaryRow(row).copy();
  }

  private static List<List<@Nullable Object>> rows(Iterable<Object> output, RowType type) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Object element : output) {
      if (element instanceof StreamRecord<?> record && record.getValue() instanceof RowData row) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(row.getRowKind().shortString());
        for (int i = 0; i < type.getFieldCount(); i++) {
          if (type.getFieldNames().get(i).matches("(k|v|ts)\\d*")) {
            values.add(value(row, i, type));
          }
        }
        rows.add(values);
      }
    }
    return rows;
  }

  private static @Nullable Object value(RowData row, int index, RowType type) {
    if (row.isNullAt(index)) {
      return null;
    }
    return switch (type.getTypeAt(index).getTypeRoot()) {
      case VARCHAR -> row.getString(index).toString();
      case INTEGER -> (long) row.getInt(index);
      default -> row.getTimestamp(index, 3).getMillisecond();
    };
  }
}
