package io.sedge.learning.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.type.Kind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Errors of classes. A score of FLOAT or DOUBLE is the probability of class 1, against class 0:
 * from 0.5 on it says 1. Any other score is the class itself.
 *
 * <ul>
 *   <li>Accuracy: the share of rows whose class was said
 *   <li>Precision of a class: of the rows that it was said of, the share that it is of. Recall: of
 *       the rows that it is of, the share that it was said of. 0 where there are no such rows
 *   <li>F1 of a class: the harmonic mean of both
 * </ul>
 *
 * (Sokolova, Lapalme: A systematic analysis of performance measures for classification tasks,
 * 2009.) Of probabilities and BOOLEANs they are those of class 1 and TRUE. Of other classes they
 * are the means over all classes that are a label or were said; F1 is the mean of the classes' F1
 * (Opitz, Burst: Macro F1 and Macro F1, 2019).
 *
 * <p>Of more than {@value #MOST_CLASSES} classes, or {@value #MOST_NAME_BYTES} bytes of their
 * names, only the accuracy is known, whatever the order of the rows, or of merging.
 *
 * <p>Format: rows that were right (8 bytes); how many classes (4 bytes, -1 for too many); for each
 * its name in UTF-8 after its length (4 bytes), and {@link Count} as three numbers of 8 bytes.
 */
public final class ClassErrors extends Errors {
  static final int MOST_CLASSES = 1_000;
  static final int MOST_NAME_BYTES = 65_536;
  private static final double SAYS_YES = 0.5;

  /** By how much rounding may carry a probability out of 0 to 1: a mean of many FLOATs. */
  private static final double ROUNDING = 1e-6;

  private static final int TOO_MANY = -1;

  private final boolean isProbability;
  private final @Nullable String positive;
  private long right;

  /** By class, in the order of names so that means are the same to the bit; null if too many. */
  private @Nullable TreeMap<String, Count> classes = new TreeMap<>();

  /** Of all names of classes, in UTF-8. */
  private long nameBytes;

  /** Of one class. */
  private static final class Count {
    private long labelled;
    private long said;
    private long right;

    double precision() {
      return said == 0 ? 0 : (double) right / said;
    }

    double recall() {
      return labelled == 0 ? 0 : (double) right / labelled;
    }

    double f1() {
      return labelled + said == 0 ? 0 : 2.0 * right / (labelled + said);
    }
  }

  /**
   * None so far.
   *
   * @param kind of label and score
   */
  public ClassErrors(Kind kind) {
    isProbability = kind == Kind.FLOAT || kind == Kind.DOUBLE;
    positive = isProbability ? "1" : kind == Kind.BOOLEAN ? "true" : null;
  }

  @Override
  boolean count(Column labels, Column scores, int row) {
    String label = isProbability ? label(labels, row) : text(labels, row);
    String said = isProbability ? said(scores, row) : text(scores, row);
    if (label == null || said == null) {
      return false;
    }
    boolean isRight = label.equals(said);
    right += isRight ? 1 : 0;
    Count ofLabel = of(label);
    Count ofSaid = of(said);
    if (classes != null && ofLabel != null && ofSaid != null) {
      ofLabel.labelled++;
      ofSaid.said++;
      ofLabel.right += isRight ? 1 : 0;
    }
    return true;
  }

  private static @Nullable String text(Column column, int row) {
    return column.isNull(row) ? null : String.valueOf(column.value(row));
  }

  private static @Nullable String label(Column labels, int row) {
    double label = Numbers.value(labels, row);
    return label == 1 ? "1" : label == 0 ? "0" : null;
  }

  private static @Nullable String said(Column scores, int row) {
    double score = Numbers.value(scores, row);
    return score >= -ROUNDING && score <= 1 + ROUNDING ? score >= SAYS_YES ? "1" : "0" : null;
  }

  /** The count of a class; null if there are too many. */
  private @Nullable Count of(String name) {
    if (classes == null) {
      return null;
    }
    Count known = classes.get(name);
    if (known != null) {
      return known;
    }
    nameBytes += name.getBytes(StandardCharsets.UTF_8).length;
    if (classes.size() == MOST_CLASSES || nameBytes > MOST_NAME_BYTES) {
      classes = null;
      return null;
    }
    Count count = new Count();
    classes.put(name, count);
    return count;
  }

  @Override
  void mergeCounted(Errors other) {
    ClassErrors from = (ClassErrors) other;
    right += from.right;
    if (from.classes == null) {
      classes = null;
      return;
    }
    for (Map.Entry<String, Count> each : from.classes.entrySet()) {
      Count into = of(each.getKey());
      if (into == null) {
        return;
      }
      into.labelled += each.getValue().labelled;
      into.said += each.getValue().said;
      into.right += each.getValue().right;
    }
  }

  @Override
  double[] counted() {
    double accuracy = (double) right / rows();
    if (classes == null) {
      return new double[] {accuracy, Double.NaN, Double.NaN, Double.NaN};
    }
    if (positive != null) {
      Count yes = classes.getOrDefault(positive, new Count());
      return new double[] {accuracy, yes.precision(), yes.recall(), yes.f1()};
    }
    return new double[] {
      accuracy,
      classes.values().stream().mapToDouble(Count::precision).average().orElse(0),
      classes.values().stream().mapToDouble(Count::recall).average().orElse(0),
      classes.values().stream().mapToDouble(Count::f1).average().orElse(0)
    };
  }

  @Override
  void writeCounted(DataOutput output) throws IOException {
    output.writeLong(right);
    if (classes == null) {
      output.writeInt(TOO_MANY);
      return;
    }
    output.writeInt(classes.size());
    for (Map.Entry<String, Count> each : classes.entrySet()) {
      byte[] name = each.getKey().getBytes(StandardCharsets.UTF_8);
      output.writeInt(name.length);
      output.write(name);
      output.writeLong(each.getValue().labelled);
      output.writeLong(each.getValue().said);
      output.writeLong(each.getValue().right);
    }
  }

  @Override
  void readCounted(DataInput input) throws IOException {
    right = input.readLong();
    int size = input.readInt();
    if (size == TOO_MANY) {
      classes = null;
      return;
    }
    bounded("classes", size, MOST_CLASSES);
    for (int i = 0; i < size; i++) {
      byte[] name = new byte[bounded("bytes of a class's name", input.readInt(), MOST_NAME_BYTES)];
      input.readFully(name);
      Count count = of(new String(name, StandardCharsets.UTF_8));
      if (count == null) {
        throw new IOException(
            "names of classes with more than %,d bytes".formatted(MOST_NAME_BYTES));
      }
      count.labelled = input.readLong();
      count.said = input.readLong();
      count.right = input.readLong();
    }
  }

  private static int bounded(String what, int value, int most) throws IOException {
    if (value < 0 || value > most) {
      throw new IOException(
          "what is kept of an evaluation has %,d %s; 0 to %,d are possible"
              .formatted(value, what, most));
    }
    return value;
  }
}
