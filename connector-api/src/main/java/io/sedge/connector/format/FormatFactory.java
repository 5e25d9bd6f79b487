package io.sedge.connector.format;

import io.sedge.connector.Option;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/** The entrance to a format; found with ServiceLoader. Stateless. */
public interface FormatFactory {
  /** The value of {@code 'format'} that chooses it. */
  String name();

  /** Its options, with their full keys: {@code json.ignore-parse-errors}. */
  List<Option> options();

  /**
   * A decoder into the columns {@code columns} of a builder for {@code schema}.
   *
   * @param columns positions in the schema that the payload fills; the connector fills the others
   */
  RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options);

  /**
   * Whether a payload of these columns is text, so that records can stand on the lines of a file.
   */
  default boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return true;
  }

  /** How the records of this format follow each other in a file. */
  default RecordSplitter splitter(Map<String, String> options) {
    return RecordSplitter.LINES;
  }

  /** The first record of a file that is written with these columns, without a line end. */
  default byte[] header(Schema schema, List<Integer> columns, Map<String, String> options) {
    return new byte[0];
  }

  /** Whether payloads tell what a row does to the result: {@code +I}, {@code -U}, and so on. */
  default boolean writesChanges() {
    return false;
  }

  /** An encoder of the columns {@code columns} of batches of {@code schema}. */
  RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options);
}
