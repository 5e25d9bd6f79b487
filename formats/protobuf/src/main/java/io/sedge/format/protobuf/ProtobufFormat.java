package io.sedge.format.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.format.protobuf.internal.MessageDecoder;
import io.sedge.format.protobuf.internal.MessageEncoder;
import io.sedge.format.protobuf.internal.MessageTypes;
import java.util.List;
import java.util.Map;

/**
 * The format {@code protobuf}: a message of Protobuf for each row, with Flink's options. Where
 * Flink takes a class that was generated from a .proto file, this takes what protoc makes of the
 * file without a compiler of Java: a set of descriptors.
 */
public final class ProtobufFormat implements FormatFactory {
  private static final String MESSAGE = "protobuf.message-class-name";
  private static final String DESCRIPTORS = "protobuf.descriptor-set";
  private static final String IGNORE_ERRORS = "protobuf.ignore-parse-errors";
  private static final String READ_DEFAULTS = "protobuf.read-default-values";
  private static final String NULL_LITERAL = "protobuf.write-null-string-literal";

  private static final List<Option> OPTIONS =
      List.of(
          Option.required(
              MESSAGE,
              Option.Kind.STRING,
              "The message: its name in the .proto file with the package (plant.v1.Reading), or the"
                  + " name of the class that protoc would make of it."),
          Option.required(
              DESCRIPTORS,
              Option.Kind.FILE,
              "The file that protoc --include_imports --descriptor_set_out=FILE has made. It goes"
                  + " with the job. Sedge's own; Flink takes a class in a jar."),
          Option.withDefault(
              READ_DEFAULTS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether a field that is not in a message, and could be, has its default instead of"
                  + " NULL."),
          Option.optional(
              NULL_LITERAL,
              Option.Kind.STRING,
              "What is written for a text that is NULL in an ARRAY; else an empty one."),
          Option.withDefault(
              IGNORE_ERRORS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether Flink goes on after a payload that is no such message. Here it is malformed,"
                  + " and the job goes on; has no effect."));

  @Override
  public String name() {
    return "protobuf";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return false;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = given(options);
    return new MessageDecoder(message(given), schema, columns, given.bool(READ_DEFAULTS));
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = given(options);
    return new MessageEncoder(message(given), schema, columns, given.find(NULL_LITERAL).orElse(""));
  }

  private Options given(Map<String, String> options) {
    return Options.of(name(), OPTIONS, options);
  }

  private static Descriptor message(Options given) {
    return MessageTypes.read(given, DESCRIPTORS).message(given, MESSAGE);
  }
}
