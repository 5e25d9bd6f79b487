package io.sedge.replication;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.replication.internal.RatisMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * This process's copy of the ledger, and its way to change it. A site begins as a group of one
 * ({@link #found}); others are invited, start ({@link #join}), and are added while it runs. Up to
 * {@link #MAX_VOTERS} vote, further ones follow. What was answered survives the loss of any
 * minority of the voters, and of power for all.
 *
 * <p>Any thread may call. {@link #close} leaves the directory as it is.
 */
public final class LedgerMember implements Ledger, AutoCloseable {
  public static final int MAX_VOTERS = 5;

  private final RatisMember member;

  private LedgerMember(RatisMember member) {
    this.member = member;
  }

  /** Whether a directory has a copy of a ledger, so that {@link #open} is what to call. */
  public static boolean existsIn(Path directory) {
    return RatisMember.existsIn(directory);
  }

  /**
   * Whether the member of a directory has written anything to its log. Before that nobody knows its
   * address, so {@link #open} may give it another one.
   */
  public static boolean hasBegunIn(Path directory) throws LedgerException {
    return RatisMember.hasBegunIn(directory);
  }

  /** Makes a site of one. */
  public static LedgerMember found(MemberOptions options) throws LedgerException {
    return new LedgerMember(RatisMember.found(options));
  }

  /**
   * Starts a newcomer, which waits until it is added. If this process ends before that, {@link
   * #open} goes on waiting.
   */
  public static LedgerMember join(MemberOptions options, Invitation invitation)
      throws LedgerException {
    return new LedgerMember(RatisMember.join(options, invitation));
  }

  /**
   * Goes on with what is in the directory; host and port must be those that it had before, if it
   * {@linkplain #hasBegunIn has begun}.
   */
  public static LedgerMember open(MemberOptions options) throws LedgerException {
    return new LedgerMember(RatisMember.open(options));
  }

  @Override
  public CompletableFuture<Answer> submit(Command command) {
    return member.submit(command);
  }

  @Override
  public CompletableFuture<Answer> tell(Command command) {
    return member.tell(command);
  }

  @Override
  public <T> T read(Function<? super SiteState, ? extends T> query) {
    return member.read(query);
  }

  @Override
  public <T> CompletableFuture<T> readAt(
      long index, Function<? super SiteState, ? extends T> query) {
    return member.readAt(index, query);
  }

  /** This member. */
  public Member self() {
    return member.membership().self();
  }

  /** The members, as far as this one knows; empty before it was added. */
  public List<Member> members() {
    return member.membership().members();
  }

  /** The id of the member that leads, if this one knows of one. */
  public Optional<String> leader() {
    return member.leader();
  }

  /** Whether this member leads and has caught up, so that it may place shards. */
  public boolean isLeader() {
    return member.isLeader();
  }

  /** Whether the member at an address has led since this one was opened. */
  public boolean hasLed(String address) {
    return member.hasLed(address);
  }

  /**
   * Whether another member has answered this one since it was elected; false if it does not lead.
   */
  public boolean answers(String address) {
    return member.answers(address);
  }

  /** The term of the present leader, as far as this member knows; grows with each election. */
  public long term() {
    return member.term();
  }

  /**
   * Has something done whenever another member may have ended: a connection that it had made to
   * this one has, as it does with its process, or somebody else leads. It can also be well. One
   * action, in a thread of connections or of the log: it must return at once.
   */
  public void onAlarm(Runnable action) {
    member.onAlarm(action);
  }

  /** Whether this member was removed: it will never do anything again. */
  public boolean isRemoved() {
    return member.isRemoved();
  }

  /** How many connections and messages were refused at this member's port since it was opened. */
  public long refusals() {
    return member.refusals();
  }

  /** What was written to this member's log since it was opened. */
  public LogCounts logCounts() {
    return member.logCounts();
  }

  /** What the next newcomer needs; may be asked of any member. */
  public Invitation invite() {
    return member.membership().invite();
  }

  /**
   * Adds a newcomer that has been started with an {@link Invitation}, if it does not belong yet.
   * May be asked of any member; of several changes at once one is made after the other.
   *
   * @throws LedgerException if it cannot be reached, belongs with another address, or there is no
   *     majority
   */
  public void add(Member newcomer, Duration timeout) throws LedgerException {
    member.membership().add(newcomer, timeout);
  }

  /**
   * Writes the address that this member was opened with into the ledger, where that has another. Of
   * the only member of a site: others would go on with the address that they know.
   *
   * @throws LedgerException if there are others, or it does not lead
   */
  public void readdress() throws LedgerException {
    member.membership().readdress();
  }

  /**
   * Removes a member, which need not be up. A follower is made a voter in its place if there is
   * one.
   */
  public void remove(String id, Duration timeout) throws LedgerException {
    member.membership().remove(id, timeout);
  }

  /** Makes another voter lead, if this member does; waits until one does, or none can. */
  public void handOver() {
    member.handOver();
  }

  /** Ends this process's part; commands under way are answered CLOSED and may have happened. */
  @Override
  public void close() {
    member.close();
  }
}
