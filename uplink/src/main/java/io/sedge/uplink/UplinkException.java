package io.sedge.uplink;

import java.util.Locale;

/** A center did not do what a site asked; the message is for people and says what to do. */
public final class UplinkException extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  public UplinkException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public UplinkException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What it was, by a name that does not change between versions. */
  public Reason reason() {
    return reason;
  }

  /** Why, each with the HTTP status that it travels with. */
  public enum Reason {
    /** The request cannot be read. */
    MALFORMED(400, false),
    /** The token has ended, was used, or is of another center. */
    TOKEN_REFUSED(401, false),
    /**
     * No certificate of this center's authority was shown, or one of a site that it does not know.
     */
    UNKNOWN_SITE(401, false),
    /** The site was shut out. */
    REVOKED(403, false),
    /** The center does not know this version of the uplink. */
    VERSION(404, false),
    /** Another site has the name. */
    NAME_TAKEN(409, false),
    /** The table is there with columns that do not go together with these. */
    SCHEMA_REFUSED(422, false),
    /** Other rows have been stored under these sequences: the site's ledger is an older one. */
    SEQUENCE_WENT_BACK(410, false),
    /** A body or a table is larger than the center takes. */
    TOO_LARGE(413, false),
    /** The center has too much to do. */
    BUSY(429, true),
    /** The center's database cannot take it now: it is away, or its disk is full. */
    STORE_UNAVAILABLE(503, true),
    /** The center has a fault. */
    INTERNAL(500, true),
    /** There is no answer: no connection, or one that ended. It may have been done. */
    UNREACHABLE(0, true);

    private final int status;
    private final boolean passing;

    Reason(int status, boolean passing) {
      this.status = status;
      this.passing = passing;
    }

    /** The HTTP status; 0 for what is never answered. */
    public int status() {
      return status;
    }

    /** Whether the same request may be answered later. */
    public boolean isPassing() {
      return passing;
    }

    /** The body of the refusal. */
    public String text(String message) {
      return name() + ": " + message;
    }

    /** What an answer says that is none of the expected ones. */
    static UplinkException read(int status, String body) {
      int colon = body.indexOf(':');
      if (colon > 0) {
        String name = body.substring(0, colon).toUpperCase(Locale.ROOT);
        for (Reason reason : values()) {
          if (reason.name().equals(name)) {
            return new UplinkException(reason, body.substring(colon + 1).strip());
          }
        }
      }
      if (status == VERSION.status) {
        return new UplinkException(
            VERSION,
            "the center does not know this version of the uplink: upgrade the center first");
      }
      return new UplinkException(
          INTERNAL,
          "what answers there answered with status %d, as no center does: is it the port of people and programs? Sites report to the one before"
              .formatted(status));
    }
  }
}
