package io.sedge.identity;

import io.sedge.replication.Invitation;
import io.sedge.replication.Member;
import io.sedge.site.api.SiteException;
import java.time.Instant;
import java.util.Optional;

/** What enrolment asks of the ledger. Any thread; may wait some seconds. */
public interface Membership {
  /** Lets one device in that shows the token, at any device that has the authority. */
  void addToken(String hash, Instant end, Instant now) throws SiteException;

  /**
   * Whether a token lets the device with a key in. One that has been used lets in whom it let in.
   *
   * @throws SiteException JOIN_REFUSED with the reason if it does not
   */
  void checkToken(String hash, String key, Instant now) throws SiteException;

  /**
   * Uses a token and keeps a place for a newcomer, both or neither: name, key and address are in
   * the ledger when this returns. The same newcomer may come again.
   *
   * @param token its hash
   * @throws SiteException JOIN_REFUSED as {@link #checkToken}; NAME_TAKEN, ADDRESS_IN_USE if they
   *     are another device's; SHUT_OUT if name or key are an expelled one's; NO_MAJORITY. Nothing
   *     has changed, unless it says that it may have
   */
  Invitation enrol(String token, Newcomer newcomer, Instant now) throws SiteException;

  /** Makes a newcomer that has started a member; nothing happens if it is one. */
  void admit(String name, Member newcomer) throws SiteException;

  /** The device whose ledger is at an address, as far as this one knows. */
  Optional<String> ledgerAt(String address);

  /**
   * Whether the device of a name has a key. That it has not is only said if it is certain.
   *
   * @throws SiteException if there is no majority to ask
   */
  boolean isRegistered(String name, String key) throws SiteException;
}
