package io.sedge.connector.modbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person is told of options that do not fit; read them aloud. */
final class ModbusOptionsTest {
  private static final String REGISTER = "fields.flow.register";
  private static final Schema SCHEMA =
      Schema.builder()
          .add("flow", Type.DOUBLE)
          .add("unit", Type.STRING)
          .add("ts", Type.timestampLtz(3))
          .build();

  private final TestContext context = new TestContext(Path.of(""));

  private static TableDescriptor table(Schema schema, String... options) {
    Map<String, String> all =
        new HashMap<>(Map.of("url", "modbus-tcp://plc-1", REGISTER, "holding:0:float32"));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    Map<Integer, String> metadata = new HashMap<>();
    for (String key : List.of("unit", "address")) {
      if (schema.indexOf(key) >= 0) {
        metadata.put(schema.indexOf(key), key);
      }
    }
    if (schema.indexOf("ts") >= 0) {
      metadata.put(schema.indexOf("ts"), "timestamp");
    }
    return Tables.table(schema, metadata, all);
  }

  private static Arguments wrong(String message, String... options) {
    return Arguments.of(message, options);
  }

  static Stream<Arguments> wrongForASource() {
    return Stream.of(
        wrong(
            "'url' = 'plc-1:502' does not begin with modbus-tcp://, modbus-rtu-tcp:// or"
                + " modbus-rtu://",
            "url",
            "plc-1:502"),
        wrong(
            "'url' = 'modbus-tcp:///x' names no host; write it as modbus-tcp://host:502",
            "url",
            "modbus-tcp:///x"),
        wrong(
            "'url' = 'modbus-tcp://h/1' has more than host and port; write it as"
                + " modbus-tcp://host:502",
            "url",
            "modbus-tcp://h/1"),
        wrong(
            "'url' = 'modbus-rtu://ttyUSB0' names no port; write it as"
                + " modbus-rtu:///dev/ttyUSB0?baud=9600",
            "url",
            "modbus-rtu://ttyUSB0"),
        wrong(
            "'url' = 'modbus-rtu:///dev/ttyUSB0?…' has 'speed=1' after the ?; known are"
                + " baud=, data-bits=, parity=, stop-bits=",
            "url",
            "modbus-rtu:///dev/ttyUSB0?speed=1"),
        wrong(
            "'url' = 'modbus-rtu:///dev/ttyUSB0?…' has parity=mark, which is not one of"
                + " none, odd, even",
            "url",
            "modbus-rtu:///dev/ttyUSB0?parity=mark"),
        wrong(
            "'url' = 'modbus-rtu:///dev/ttyUSB0?…' has baud=7, which is not in 50 to 4000000",
            "url",
            "modbus-rtu:///dev/ttyUSB0?baud=7"),
        wrong(
            "'url' = 'modbus-tcp://h;modbus-tcp://h:502' has h:502 twice",
            "url",
            "modbus-tcp://h;modbus-tcp://h:502"),
        wrong("'units' = '1-x' has '1-x'; write unit ids and ranges as 1;2;10-20", "units", "1-x"),
        wrong("'units' = '3-1' has the range 3-1, which ends before it begins", "units", "3-1"),
        wrong("'units' = '1-3;2' has 2 twice", "units", "1-3;2"),
        wrong("'units' = '256' has 256, which is not in 0 to 255", "units", "256"),
        wrong(
            "'units' = '0' has 0, which is not in 1 to 247",
            "units",
            "0",
            "url",
            "modbus-rtu:///dev/ttyUSB0"),
        register(
            "holding",
            "is not a register; write it as KIND:ADDRESS:TYPE, such as" + " holding:0:float32"),
        register(
            "register:0",
            "begins with 'register', which is not one of coil, discrete, input," + " holding"),
        register(
            "holding:0:float",
            "has the type 'float'; known are int16, uint16, int32, uint32, int64, uint64, float32,"
                + " float64, string(N)"),
        register("holding:0:string", "has no length; write string(N), N the number of bytes"),
        register("holding:0:int16(2)", "has a length, which only string(N) has"),
        register("holding:0:string(251)", "has a length of 251 bytes, which is not in 1 to 250"),
        register("holding:65535:int32", "goes beyond the last address, 65535"),
        register("holding:65536", "has the address 65536, which is not in 0 to 65535"),
        register(
            "holding:x",
            "has the address 'x'; write a number, or number.bit for a bit of a" + " register"),
        register(
            "holding:0:float32:middle",
            "has the byte order 'middle', which is not one of be, le, be-swap, le-swap"),
        register("holding:0.16", "has the bit 16, which is not in 0 to 15"),
        register(
            "holding:0.3:int16", "is a bit, which has no type; leave out what stands after .3"),
        register("coil:0.1", "has a bit, but each coil is one; leave out .1"),
        register(
            "coil:0:int16",
            "has a type, but coil holds single bits; leave out what stands after the address"),
        register(
            "holding:0:bool",
            "is a whole register; write holding:0.0 for its lowest bit, up to .15"),
        register(
            "holding:40001",
            "has the address 40001, which may be meant in two ways; write holding:0, or say"
                + " 'addressing' = 'modicon' (all are written like 40001), or 'addressing' ="
                + " 'protocol' (address 40001 itself is meant)"),
        wrong(
            "'fields.flow.register' = 'holding:1' has the address 1; with 'addressing' = 'modicon'"
                + " the holding registers are 40001 to 49999, or 400001 to 465536",
            REGISTER,
            "holding:1",
            "addressing",
            "modicon"),
        wrong(
            "'fields.flow.scale' = '0' is zero, so every value would be the same",
            "fields.flow.scale",
            "0"),
        wrong(
            "'fields.flow.scale' = '1e400' is too large or too small for a DOUBLE",
            "fields.flow.scale",
            "1e400"),
        wrong(
            "'fields.flow.offset' = '1e-400' is too large or too small for a DOUBLE",
            "fields.flow.offset",
            "1e-400"),
        wrong(
            "'fields.flow.scale' = '1e-300' and 'fields.flow.offset' have more digits than a DOUBLE"
                + " holds",
            "fields.flow.scale",
            "1e-300",
            "fields.flow.offset",
            "1e300"),
        wrong(
            "'shard.by' = 'unit' makes each unit a shard that opens /dev/ttyUSB0 itself, but only"
                + " one can; use a column METADATA FROM 'address'",
            "shard.by",
            "unit",
            "url",
            "modbus-rtu:///dev/ttyUSB0"),
        wrong(
            "option 'fields.flaw.register' is for a column `flaw`, which is none that may have a"
                + " register; did you mean `flow`?",
            "fields.flaw.register",
            "holding:0"),
        wrong("'poll-interval' = '0 s' is not in 1 ms to 24 d", "poll-interval", "0 s"),
        wrong("'max-registers' = '126' is not between 1 and 125", "max-registers", "126"),
        wrong(
            "'max-registers' = '1' is less than the 2 registers of column `flow`, which are read at"
                + " once",
            "max-registers",
            "1"),
        wrong(
            "'reconnect.max-delay' = '1 ms' is less than 'reconnect.min-delay'",
            "reconnect.max-delay",
            "1 ms"),
        wrong(
            "'shard.by' = 'flow' is no column that is METADATA FROM 'unit' or METADATA FROM"
                + " 'address'",
            "shard.by",
            "flow"),
        wrong(
            "'sink.max-age' = '1 s' is for a table that is written, and this one is read",
            "sink.max-age",
            "1 s"));
  }

  private static Arguments register(String register, String why) {
    return wrong("'%s' = '%s' %s".formatted(REGISTER, register, why), REGISTER, register);
  }

  @ParameterizedTest
  @MethodSource("wrongForASource")
  void aSourceIsToldWhatIsWrong(String message, String[] options) {
    assertThatThrownBy(() -> new ModbusConnector().source(table(SCHEMA, options), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table readings: " + message);
  }

  static Stream<Arguments> wrongForASink() {
    return Stream.of(
        wrong(
            "'url' = 'modbus-tcp://a;modbus-tcp://b' has several addresses; a sink writes to one",
            "url",
            "modbus-tcp://a;modbus-tcp://b"),
        wrong(
            "column `flow` is input 0 to 1, which cannot be written; coil and holding can",
            REGISTER,
            "input:0:float32"),
        wrong(
            "'shard.by' = 'unit' is for a table that is read, and this one is written",
            "shard.by",
            "unit"));
  }

  @ParameterizedTest
  @MethodSource("wrongForASink")
  void aSinkIsToldWhatIsWrong(String message, String[] options) {
    assertThatThrownBy(() -> new ModbusConnector().sink(table(SCHEMA, options), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table readings: " + message);
  }

  @Test
  void aTextThatIsReadByOneRequestMayBeTooLongToBeWrittenByOne() {
    Schema flow = Schema.builder().add("flow", Type.STRING).build();
    assertThatThrownBy(
            () ->
                new ModbusConnector().sink(table(flow, REGISTER, "holding:0:string(247)"), context))
        .hasMessage(
            "table readings: column `flow` is holding 0 to 123, 124 registers, but a request writes"
                + " at most 123");
  }

  @Test
  void aSinkNeedsToKnowWhichUnitARowIsForAndWhenItWasGiven() {
    Schema flow = Schema.builder().add("flow", Type.DOUBLE).build();
    assertThatThrownBy(() -> new ModbusConnector().sink(table(flow, "units", "1;2"), context))
        .hasMessage(
            "table readings: 'units' = '1;2' are several; add a column `unit` INT METADATA that"
                + " says which one a row is for");
    assertThatThrownBy(
            () -> new ModbusConnector().sink(table(flow, "sink.max-age", "1 s"), context))
        .hasMessage(
            "table readings: 'sink.max-age' = '1 s' needs a column TIMESTAMP_LTZ(3) METADATA FROM"
                + " 'timestamp' that says when a command was given");
  }

  static Stream<Arguments> columns() {
    return Stream.of(
        Arguments.of(
            Type.SMALLINT, "holding:0", "is SMALLINT, but uint16 needs an INT or what holds more"),
        Arguments.of(
            Type.BIGINT, "holding:0:uint64", "is BIGINT, but uint64 needs a DECIMAL(20, 0)"),
        Arguments.of(
            Type.DOUBLE,
            "holding:0:int64",
            "is DOUBLE, but int64 needs a BIGINT or what holds more"),
        Arguments.of(
            Type.INT, "holding:0:float32", "is INT, but float32 needs a DOUBLE, FLOAT or DECIMAL"),
        Arguments.of(
            Type.FLOAT, "holding:0:float64", "is FLOAT, but float64 needs a DOUBLE or DECIMAL"),
        Arguments.of(Type.INT, "coil:0", "is INT, but a bit needs a BOOLEAN"),
        Arguments.of(
            Type.varchar(3),
            "holding:0:string(4)",
            "is VARCHAR(3), but text of 4 bytes needs a STRING"));
  }

  @ParameterizedTest
  @MethodSource("columns")
  void aColumnHoldsEveryValueOfItsRegister(Type type, String register, String message) {
    Schema schema = Schema.builder().add("flow", type).build();
    assertThatThrownBy(
            () -> new ModbusConnector().source(table(schema, REGISTER, register), context))
        .hasMessage("table readings: column `flow` " + message);
  }

  @Test
  void aColumnWithoutARegisterIsSaid() {
    Schema schema = Schema.builder().add("flow", Type.DOUBLE).add("level", Type.INT).build();
    assertThatThrownBy(() -> new ModbusConnector().source(table(schema), context))
        .hasMessage(
            "table readings: column `level` has no register; write 'fields.level.register' ="
                + " 'holding:0:uint16', or declare it METADATA FROM 'unit', 'address' or"
                + " 'timestamp'");
  }

  @Test
  void eachUnitOrAddressIsAShard() {
    Division byUnit =
        new ModbusConnector()
            .source(table(SCHEMA, "units", "1;7-8", "shard.by", "unit"), context)
            .orElseThrow()
            .division();
    assertThat(byUnit).isEqualTo(new Division.ByKey(1, List.of("1", "7", "8")));
    Schema schema = Schema.builder().add("flow", Type.DOUBLE).add("address", Type.STRING).build();
    Division byAddress =
        new ModbusConnector()
            .source(
                table(schema, "url", "modbus-tcp://a;modbus-tcp://b:503", "shard.by", "address"),
                context)
            .orElseThrow()
            .division();
    assertThat(byAddress).isEqualTo(new Division.ByKey(1, List.of("a:502", "b:503")));
  }

  @Test
  void bothWaysOfWritingAnAddressMeanTheSameRegisterOnceTheyAreSaid() {
    for (String[] options :
        List.of(
            new String[] {REGISTER, "holding:40001:float32", "addressing", "modicon"},
            new String[] {REGISTER, "holding:400001:float32", "addressing", "modicon"},
            new String[] {REGISTER, "holding:40001:float32", "addressing", "protocol"})) {
      assertThat(new ModbusConnector().source(table(SCHEMA, options), context)).isPresent();
    }
  }
}
