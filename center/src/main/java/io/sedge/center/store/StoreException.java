package io.sedge.center.store;

import io.sedge.uplink.UplinkException;

/** The store did not do what it was asked; the message is for people and says what to do. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  public StoreException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public StoreException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What it was, by a name that does not change between versions. */
  public Reason reason() {
    return reason;
  }

  /** As a site is told. */
  public UplinkException toUplink() {
    return new UplinkException(reason.uplink, String.valueOf(getMessage()), this);
  }

  /** Why, each with what a site is told. */
  public enum Reason {
    /** A table or column has a name that the store does not take, or rows that cannot be read. */
    MALFORMED(UplinkException.Reason.MALFORMED),
    /** The token is not known, has ended, or another site has used it. */
    TOKEN_REFUSED(UplinkException.Reason.TOKEN_REFUSED),
    /** No site has the name, or the stream is another site's. */
    UNKNOWN_SITE(UplinkException.Reason.UNKNOWN_SITE),
    /** The site was shut out. */
    REVOKED(UplinkException.Reason.REVOKED),
    /** Another has the name. */
    NAME_TAKEN(UplinkException.Reason.NAME_TAKEN),
    /** The table is there with columns that do not go together with these. */
    SCHEMA_REFUSED(UplinkException.Reason.SCHEMA_REFUSED),
    /** Other rows have been stored under these sequences. */
    SEQUENCE_WENT_BACK(UplinkException.Reason.SEQUENCE_WENT_BACK),
    /** More than the store takes at a time, whoever asks. */
    TOO_LARGE(UplinkException.Reason.TOO_LARGE),
    /** The store has too much to do now. */
    BUSY(UplinkException.Reason.BUSY),
    /** The database cannot take it now: it is away, or its disk is full. */
    STORE_UNAVAILABLE(UplinkException.Reason.STORE_UNAVAILABLE),
    /** A query is not one, or does what queries may not. */
    QUERY_REFUSED(UplinkException.Reason.MALFORMED),
    /** A query took longer than its limit, or was cancelled. */
    QUERY_ENDED(UplinkException.Reason.BUSY),
    /** No table or column has the name. */
    UNKNOWN_TABLE(UplinkException.Reason.MALFORMED),
    /** No job that was given to sites has the name. */
    UNKNOWN_JOB(UplinkException.Reason.MALFORMED),
    /** Somebody may change something at other sites alone. */
    NOT_PERMITTED(UplinkException.Reason.MALFORMED),
    /** A version of the job is at a place where that cannot be done. */
    UNDER_WAY(UplinkException.Reason.BUSY),
    /** The store has a fault. */
    INTERNAL(UplinkException.Reason.INTERNAL);

    private final UplinkException.Reason uplink;

    Reason(UplinkException.Reason uplink) {
      this.uplink = uplink;
    }

    /** What a site is told. */
    public UplinkException.Reason uplink() {
      return uplink;
    }
  }
}
