package io.sedge.ledger;

import java.util.List;
import java.util.Map;

/**
 * A version of a model that devices of the site trained together. What scores is a file, which goes
 * with the job as its other files do; the version that a job scores by is the one whose file the
 * job names ({@link JobFile#isOf}).
 *
 * @param job whose script declares the model
 * @param model its name in that script
 * @param number from 1 on; the ledger gives it
 * @param atMillis the wall clock of who trained it
 * @param file what scores
 * @param algorithm as the script had it
 * @param features the columns that it scores by
 * @param label the column that it has learned; empty if its algorithm learns none
 * @param numbers all that there is to the model
 * @param metrics how good it was on rows held out, by name
 * @param rows how many rows each device had for it, by the device's name
 * @param sentBytes how much of sums left each device, by its name
 * @param leftOut how many rows had a value that is none
 * @param firstMillis the time of the earliest row; {@link Long#MAX_VALUE} if that is not known
 * @param lastMillis the time of the latest; {@link Long#MIN_VALUE} if that is not known
 * @param notes what people should know; may be empty
 * @param live the entry of the log with which a job began to score by it the last time; 0 if none
 *     ever did
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record ModelVersion(
    String job,
    String model,
    long number,
    long atMillis,
    JobFile file,
    String algorithm,
    List<String> features,
    String label,
    double[] numbers,
    Map<String, Double> metrics,
    Map<String, Long> rows,
    Map<String, Long> sentBytes,
    long leftOut,
    long firstMillis,
    long lastMillis,
    String notes,
    long live) {
  /** How many versions of a model are kept; the oldest that its job has no file of goes first. */
  public static final int MAX_VERSIONS = 10;

  /** Of how many models there may be versions. */
  public static final int MAX_MODELS = 64;

  /** Of one version. */
  public static final int MAX_NUMBERS = 8_192;

  /** Of features and metrics each. */
  public static final int MAX_NAMES = 64;

  /** Of those that gave rows. */
  public static final int MAX_DEVICES = (int) Limit.DEVICES.max();

  public ModelVersion {
    Names.check(job, "job");
    Names.check(model, "model");
    Names.check(algorithm, "algorithm");
    if (!label.isEmpty()) {
      Names.check(label, "label");
    }
    features = List.copyOf(features);
    metrics = Map.copyOf(metrics);
    rows = Map.copyOf(rows);
    sentBytes = Map.copyOf(sentBytes);
    features.forEach(name -> Names.check(name, "feature"));
    check(model, "numbers", numbers.length, MAX_NUMBERS);
    check(model, "features", features.size(), MAX_NAMES);
    check(model, "metrics", metrics.size(), MAX_NAMES);
    check(model, "devices", Math.max(rows.size(), sentBytes.size()), MAX_DEVICES);
    if (notes.length() > Command.MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "the notes of a version of model %s have %d characters, at most %d are allowed"
              .formatted(model, notes.length(), Command.MAX_TEXT_BYTES));
    }
  }

  private static void check(String model, String what, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(
          "a version of model %s has %d %s; %d are allowed".formatted(model, count, what, most));
    }
  }

  /** The same under another number, and with another time since it is live. */
  public ModelVersion with(long newNumber, long newLive) {
    return new ModelVersion(
        job,
        model,
        newNumber,
        atMillis,
        file,
        algorithm,
        features,
        label,
        numbers,
        metrics,
        rows,
        sentBytes,
        leftOut,
        firstMillis,
        lastMillis,
        notes,
        newLive);
  }

  /** Whether a job scores by it now. */
  public boolean isLive(Job scoring) {
    return scoring.name().equals(job) && scoring.files().contains(file);
  }

  /** Whether it scores beside the live version of a job now. */
  public boolean isShadow(Job scoring) {
    return scoring.name().equals(job) && scoring.files().contains(file.asShadowOf(model));
  }

  /** Whether it is the one that was taken back by itself last, which happens once to a version. */
  public boolean isRolledBack(Job scoring) {
    return scoring.name().equals(job) && scoring.files().contains(file.asRolledBackOf(model));
  }

  /** Whether a job that has these files scores by it, live or beside, or has taken it back. */
  public boolean isIn(List<JobFile> files) {
    return files.stream().anyMatch(known -> known.sha256().equals(file.sha256()));
  }
}
