package io.sedge.ledger;

import java.util.Map;

/**
 * The format of what the members of a site write for each other: entries and snapshots of the
 * ledger, and what tasks keep in it. All of a site has one, {@link SiteState#format}, which each
 * device must read: so devices may be upgraded one after the other, and it rises when all are. A
 * new site begins with {@link #NEWEST}. What a format has added is written only in a site that has
 * it.
 *
 * <p>Format 15 is that of snapshots before sites had a format; with 16 the format is a part of the
 * state. With 17 a job may have files of a model's shadow ({@link JobFile#asShadowOf}) and of the
 * version that was taken back ({@link JobFile#asRolledBackOf}), and these versions are not dropped.
 */
public final class Format {
  /** Of a site in which no format was raised yet. */
  public static final int FIRST = 15;

  /** The latest that this version writes; it reads all before. */
  public static final int NEWEST = 17;

  /** Of sites in which a version of a model scores beside the live one, or is rolled back. */
  public static final int SHADOWS = 17;

  /** The label by which a device tells its {@link #NEWEST}. */
  public static final String LABEL = "sedge.format";

  private Format() {}

  /** The latest format that a device writes; {@link #FIRST} of one that does not tell. */
  public static int of(Map<String, String> labels) {
    try {
      return Math.max(FIRST, Integer.parseInt(labels.getOrDefault(LABEL, "")));
    } catch (NumberFormatException _) {
      return FIRST;
    }
  }
}
