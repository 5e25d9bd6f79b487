package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.format.avro.AvroFormat;
import io.sedge.format.avro.internal.SchemaMapping;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.avro.AvroFormatOptions.AvroEncoding;
import org.apache.flink.formats.avro.AvroRowDataDeserializationSchema;
import org.apache.flink.formats.avro.AvroRowDataSerializationSchema;
import org.apache.flink.formats.avro.typeutils.AvroSchemaConverter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Flink's own format is the oracle: the same schema, the same bytes, and each reads the other's.
 */
final class AvroOracleTest {
  private static final long MILLIS = 1_769_860_800_123L;

  /** In Flink, in both mappings of timestamps. */
  private static RowType flinkType(boolean legacy, int precision) {
    return (RowType)
        DataTypes.ROW(
                DataTypes.FIELD("on", DataTypes.BOOLEAN()),
                DataTypes.FIELD("tiny", DataTypes.TINYINT()),
                DataTypes.FIELD("small", DataTypes.SMALLINT()),
                DataTypes.FIELD("number", DataTypes.INT().notNull()),
                DataTypes.FIELD("large", DataTypes.BIGINT()),
                DataTypes.FIELD("single", DataTypes.FLOAT()),
                DataTypes.FIELD("reading", DataTypes.DOUBLE()),
                DataTypes.FIELD("price", DataTypes.DECIMAL(20, 2)),
                DataTypes.FIELD("text", DataTypes.STRING()),
                DataTypes.FIELD("day", DataTypes.DATE()),
                DataTypes.FIELD("at", DataTypes.TIME(3)),
                DataTypes.FIELD("local", DataTypes.TIMESTAMP(precision)),
                DataTypes.FIELD(
                    "ts", legacy ? DataTypes.INT() : DataTypes.TIMESTAMP_LTZ(precision)),
                DataTypes.FIELD("list", DataTypes.ARRAY(DataTypes.DOUBLE())),
                DataTypes.FIELD(
                    "inner",
                    DataTypes.ROW(
                        DataTypes.FIELD("a", DataTypes.STRING().notNull()),
                        DataTypes.FIELD("b", DataTypes.BIGINT()))))
            .notNull()
            .getLogicalType();
  }

  private static Schema schema(boolean legacy, int precision) {
    return Schema.builder()
        .add("on", Type.BOOLEAN)
        .add("tiny", Type.TINYINT)
        .add("small", Type.SMALLINT)
        .add("number", Type.INT.notNull())
        .add("large", Type.BIGINT)
        .add("single", Type.FLOAT)
        .add("reading", Type.DOUBLE)
        .add("price", Type.decimal(20, 2))
        .add("text", Type.STRING)
        .add("day", Type.DATE)
        .add("at", Type.time(3))
        .add("local", Type.timestamp(precision))
        .add("ts", legacy ? Type.INT : Type.timestampLtz(precision))
        .add("list", Type.array(Type.DOUBLE))
        .add("inner", Type.row(List.of("a", "b"), List.of(Type.STRING.notNull(), Type.BIGINT)))
        .build();
  }

  private static RowData flinkRow(boolean legacy, boolean nulls) {
    GenericRowData row = new GenericRowData(15);
    row.setField(3, -7);
    if (nulls) {
      return row;
    }
    row.setField(0, true);
    row.setField(1, (byte) -128);
    row.setField(2, (short) 32767);
    row.setField(4, Long.MIN_VALUE);
    row.setField(5, 1.5f);
    row.setField(6, -0.1);
    row.setField(7, DecimalData.fromBigDecimal(new BigDecimal("-123456789012345678.90"), 20, 2));
    row.setField(8, StringData.fromString("ä€😀"));
    row.setField(9, 20_484);
    row.setField(10, 86_399_999);
    row.setField(11, TimestampData.fromEpochMillis(MILLIS));
    row.setField(12, legacy ? (Object) 5 : TimestampData.fromEpochMillis(-1));
    row.setField(13, new GenericArrayData(new Double[] {1.0, null, 2.5}));
    row.setField(14, GenericRowData.of(StringData.fromString("x"), null));
    return row;
  }

  private static @Nullable Object[] row(boolean legacy, boolean nulls) {
    @Nullable Object[] row = new Object[15];
    row[3] = -7;
    if (!nulls) {
      List<@Nullable Object> list = Arrays.asList(1.0, null, 2.5);
      List<@Nullable Object> inner = Arrays.asList("x", null);
      @Nullable Object[] values = {
        true,
        -128,
        32767,
        -7,
        Long.MIN_VALUE,
        1.5f,
        -0.1,
        new BigDecimal("-123456789012345678.90"),
        "ä€😀",
        20_484,
        86_399_999,
        MILLIS * 1_000,
        legacy ? (Object) 5 : -1_000L,
        list,
        inner
      };
      return values;
    }
    return row;
  }

  private static Map<String, String> options(boolean legacy, AvroEncoding encoding) {
    return Map.of(
        "avro.timestamp_mapping.legacy",
        String.valueOf(legacy),
        "avro.encoding",
        encoding.toString());
  }

  private static List<Integer> columns() {
    return IntStream.range(0, 15).boxed().toList();
  }

  /** Of TIMESTAMP(6) Flink 2.3 writes milliseconds under a schema of microseconds: not compared. */
  @ParameterizedTest
  @CsvSource({
    "true, false, BINARY",
    "true, true, BINARY",
    "false, false, BINARY",
    "false, true, BINARY",
    "false, false, JSON",
    "false, true, JSON"
  })
  void bothWriteTheSameAndReadEachOther(boolean legacy, boolean nulls, AvroEncoding encoding)
      throws Exception {
    RowType type = flinkType(legacy, 3);
    AvroRowDataSerializationSchema flink =
        new AvroRowDataSerializationSchema(type, encoding, legacy);
    flink.open(null);
    byte[] theirs = flink.serialize(flinkRow(legacy, nulls));

    Map<String, String> options = options(legacy, encoding);
    Batch batch = new BatchBuilder(schema(legacy, 3)).addRow(row(legacy, nulls)).build();
    ByteArrayOutputStream ours = new ByteArrayOutputStream();
    new AvroFormat().encoder(schema(legacy, 3), columns(), options).encode(batch, 0, ours);
    assertThat(ours.toByteArray()).isEqualTo(theirs);

    BatchBuilder builder = new BatchBuilder(schema(legacy, 3));
    new AvroFormat()
        .decoder(schema(legacy, 3), columns(), options)
        .decode(theirs, 0, theirs.length, builder);
    builder.endRow();
    assertThat(builder.build().row(0)).containsExactly(row(legacy, nulls));

    AvroRowDataDeserializationSchema reader =
        new AvroRowDataDeserializationSchema(
            type, TypeInformation.of(RowData.class), encoding, legacy);
    assertThat(reader.deserialize(ours.toByteArray())).isEqualTo(flinkRow(legacy, nulls));
  }

  @ParameterizedTest
  @CsvSource({"true, 3", "false, 3", "false, 6"})
  void bothMakeTheSameSchemaOfTheColumns(boolean legacy, int precision) {
    SchemaMapping mapping = new SchemaMapping(schema(legacy, precision), columns(), legacy, "", "");
    assertThat(mapping.written(Optional.empty()))
        .hasToString(
            AvroSchemaConverter.convertToSchema(flinkType(legacy, precision), legacy).toString());
  }
}
