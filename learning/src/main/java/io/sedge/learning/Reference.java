package io.sedge.learning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * What the rows looked like that a model was trained from: a distribution of each feature, then of
 * each column of the score. Immutable.
 *
 * <p>Its text stands in the model's file: a number for the format, then a part for each column,
 * with a semicolon before it. A part has the edges, a bar and the counts; commas are between them.
 *
 * @param version tells which one of a model's versions it is of, for people: the first digits of
 *     the SHA-256 of its file
 */
public record Reference(String version, List<Distribution> columns) {
  /** The key of the text among the metadata of an ONNX file. */
  public static final String KEY = "sedge.reference";

  private static final String FORMAT = "1";
  private static final int MOST_COLUMNS = 64;

  public Reference {
    columns = List.copyOf(columns);
    if (columns.size() > MOST_COLUMNS) {
      throw new IllegalArgumentException("%d columns".formatted(columns.size()));
    }
  }

  /** Its columns as text, from which {@link #parse} makes them again to the bit. */
  public String text() {
    StringBuilder text = new StringBuilder(FORMAT);
    for (Distribution column : columns) {
      StringJoiner edges = new StringJoiner(",", ";", "|");
      Arrays.stream(column.edges()).forEach(edge -> edges.add(Double.toString(edge)));
      StringJoiner counts = new StringJoiner(",");
      Arrays.stream(column.counts()).forEach(count -> counts.add(Long.toString(count)));
      text.append(edges).append(counts);
    }
    return text.toString();
  }

  /**
   * Reads what {@link #text} gave.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static Reference parse(String version, String text) {
    String[] parts = text.split(";", MOST_COLUMNS + 2);
    if (!parts[0].equals(FORMAT)) {
      throw new IllegalArgumentException("the format is not " + FORMAT);
    }
    List<Distribution> columns = new ArrayList<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      int bar = part.indexOf('|');
      if (bar < 0) {
        throw new IllegalArgumentException("a column without counts");
      }
      columns.add(
          new Distribution(
              numbers(part.substring(0, bar)).mapToDouble(Double::parseDouble).toArray(),
              numbers(part.substring(bar + 1)).mapToLong(Long::parseLong).toArray()));
    }
    return new Reference(version, columns);
  }

  private static Stream<String> numbers(String part) {
    return Arrays.stream(part.split(",", Distribution.MOST_EDGES + 2));
  }

  /** Differs, but for chance, from that of another reference: what is counted in its bins. */
  long fingerprint() {
    long print = columns.size();
    for (Distribution column : columns) {
      for (double edge : column.edges()) {
        print = print * 0x9E3779B97F4A7C15L + Double.doubleToLongBits(edge);
      }
      for (long count : column.counts()) {
        print = print * 0x9E3779B97F4A7C15L + count;
      }
    }
    return print;
  }
}
