package io.sedge.uplink;

/**
 * The requests that a site makes of a center, all of them {@code POST}. Bodies are binary; a
 * refusal has the status of its {@link UplinkException.Reason} and, in UTF-8, {@code REASON:
 * message}.
 *
 * <pre>
 *   path                       body                   answer              who may
 *   /uplink/v1/enrol           EnrolmentRequest       EnrolmentAnswer     who has a token
 *   /uplink/v1/renew           a signing request      EnrolmentAnswer     a site
 *   /uplink/v1/streams         StreamOpening          StreamOpened        a site
 *   /uplink/v1/streams/ID/rows RowBlocks, deflated    the sequence (8)    the site whose it is
 *   /uplink/v1/orders          OrderPoll              OrderAnswer         a site
 *   /uplink/v1/answers/ID      QuestionAnswer         nothing             the site that was asked
 *   /uplink/v1/alarms          SiteAlarmList          nothing             a site
 * </pre>
 *
 * A site that speaks a later version than the center asks for a path that the center does not have
 * and is answered 404: {@link UplinkException.Reason#VERSION}.
 */
public final class Uplink {
  /** What all paths begin with. */
  public static final String ROOT = "/uplink/v1";

  public static final String ENROL = "/enrol";
  public static final String RENEW = "/renew";
  public static final String STREAMS = "/streams";
  public static final String ROWS = "/rows";
  public static final String ORDERS = "/orders";
  public static final String ANSWERS = "/answers";
  public static final String ALARMS = "/alarms";

  /** The most alarms that are told at once: the most urgent ones. */
  public static final int MAX_ALARMS = 1_000;

  /** The most that a body may have, in bytes: rows under way are cut to it. */
  public static final int MAX_BODY_BYTES = 4 << 20;

  /** The most that an {@link OrderPoll} may have, in bytes. */
  public static final int MAX_POLL_BYTES = 512 << 10;

  /** The most that {@value #MAX_ALARMS} alarms may have, in bytes. */
  public static final int MAX_ALARMS_BYTES = 2 << 20;

  /** The most that the rows of a body may have when they are inflated, in bytes. */
  public static final int MAX_ROWS_BYTES = 16 << 20;

  /** The most blocks that a body may have. */
  public static final int MAX_BLOCKS = 1_024;

  /** The port that a center listens on for sites where nothing else is said. */
  public static final int DEFAULT_PORT = 7440;

  private Uplink() {}
}
