package io.sedge.identity;

import io.sedge.replication.Invitation;
import io.sedge.replication.Member;
import io.sedge.site.api.SiteException;
import java.util.Map;
import java.util.Optional;

/** What enrolment asks of the ledger. Any thread; may wait some seconds. */
public interface Membership {
  /**
   * Keeps a place for a newcomer: its name, key and address are in the ledger when this returns.
   * The same newcomer may come again.
   *
   * @throws SiteException if the name is another device's, the key is an expelled one's, or there
   *     is no majority; nothing has changed, unless it says that it may have
   */
  Invitation reserve(String name, String key, String address, Map<String, String> labels)
      throws SiteException;

  /** The same without a change: whether it would be refused. */
  void checkReservable(String name, String key, String address) throws SiteException;

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
