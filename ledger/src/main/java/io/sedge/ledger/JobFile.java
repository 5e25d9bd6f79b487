package io.sedge.ledger;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A file that a job's script names, as it was when the job was submitted. The ledger has its name;
 * what it holds is on the devices.
 *
 * @param path as the script has it
 * @param sha256 of what it holds, 64 hexadecimal digits in lower case
 * @param bytes how many it has
 */
public record JobFile(String path, String sha256, long bytes) {
  /** Of one file: 512 MB. */
  public static final long MAX_BYTES = 512L << 20;

  /** Of all files of a site together, each counted once: 2 GB. Every device keeps them. */
  public static final long MAX_SITE_BYTES = 2L << 30;

  /** How many a script may name. */
  public static final int MAX_FILES = 64;

  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

  public JobFile {
    int length = path.getBytes(StandardCharsets.UTF_8).length;
    if (path.isBlank() || length > Command.MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "the path of a file has %d bytes, 1 to %d are allowed"
              .formatted(length, Command.MAX_TEXT_BYTES));
    }
    if (!SHA_256.matcher(sha256).matches()) {
      throw new IllegalArgumentException("'%s' is no SHA-256 of a file".formatted(sha256));
    }
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "file %s has %d bytes; a job's file has %d at most".formatted(path, bytes, MAX_BYTES));
    }
  }

  /** What the paths of versions of models begin with. */
  private static final String MODEL = "model ";

  /** What the paths of versions begin with that score beside. */
  private static final String SHADOW = "shadow ";

  /** What the path of the version begins with that was taken back by itself last. */
  private static final String ROLLED_BACK = "rolled-back ";

  /** The path of versions of a model, which no script names. */
  public static String pathOfModel(String model) {
    return MODEL + model;
  }

  /** Whether it is a version of a model. */
  public boolean isOf(String model) {
    return path.equals(MODEL + model);
  }

  /** The same content, as what scores beside the live version of a model. */
  public JobFile asShadowOf(String model) {
    return new JobFile(SHADOW + model, sha256, bytes);
  }

  /** Whether it is what scores beside the live version of a model. */
  public boolean isShadowOf(String model) {
    return path.equals(SHADOW + model);
  }

  /** The same content, as the version of a model that was taken back by itself last. */
  public JobFile asRolledBackOf(String model) {
    return new JobFile(ROLLED_BACK + model, sha256, bytes);
  }

  /** Whether it is the version of a model that was taken back by itself last. */
  public boolean isRolledBackOf(String model) {
    return path.equals(ROLLED_BACK + model);
  }

  /** How much files take where each is kept once. */
  public static long bytes(Collection<JobFile> files) {
    Map<String, Long> sizes = new TreeMap<>();
    files.forEach(file -> sizes.put(file.sha256(), file.bytes()));
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those of a script. */
  static List<JobFile> checked(List<JobFile> files, String job) {
    Set<String> paths = new HashSet<>();
    files.forEach(file -> paths.add(file.path()));
    if (files.size() > MAX_FILES || paths.size() < files.size()) {
      throw new IllegalArgumentException(
          "job %s names %d files; it may name %d, each once"
              .formatted(job, files.size(), MAX_FILES));
    }
    return List.copyOf(files);
  }
}
