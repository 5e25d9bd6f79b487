package io.sedge.ledger;

import io.sedge.ledger.internal.state.SiteMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The state of a site and the commands that change it: plain Java, no clock, no randomness, no
 * disk. The same envelopes in the same order give the same state, the same answers, and the same
 * bytes of a snapshot, wherever they are applied.
 *
 * <p>Of one thread at a time; who reads while another applies must keep them apart.
 */
public final class StateMachine {
  private final SiteMachine machine = new SiteMachine();

  /**
   * Carries out an envelope.
   *
   * @param index of its log entry, above all before
   */
  public Answers apply(long index, Envelope envelope) {
    return machine.apply(index, envelope);
  }

  /**
   * Takes what a device tells outside of the log: that it is there ({@link Command.ReportDevice}
   * that is not the last), or what it measures. That stands over what the log knows in {@link
   * #state}, is in no snapshot, and is gone with the process. On the leader.
   *
   * @return done as of the last entry applied, or refused as from the log
   */
  public Answer tell(Command command) {
    return machine.tell(command);
  }

  /** What has been told since a version of {@link #learn}; 0 for all. On the leader. */
  public byte[] toldSince(long version) {
    return machine.toldSince(version);
  }

  /**
   * Takes what the leader was told.
   *
   * @param told from its {@link #toldSince}
   * @return what to ask the same leader for next time
   * @throws MalformedException if it cannot be read; then nothing has changed
   */
  public long learn(byte[] told) throws MalformedException {
    return machine.learn(told);
  }

  /** Goes on with what another one was told, which is given up for this one. */
  public void keepTold(StateMachine before) {
    machine.keepTold(before.machine);
  }

  /** A log entry that changes nothing here has gone by. */
  public void advance(long index) {
    machine.advance(index);
  }

  /** The state as it is; changes as commands are applied. */
  public SiteState state() {
    return machine;
  }

  /** Writes all of the state, in blocks that carry checksums; the stream is flushed, not closed. */
  public void writeSnapshot(OutputStream output) throws IOException {
    machine.writeSnapshot(output);
  }

  /**
   * Replaces the state by a snapshot's. If this throws, the state is what it was.
   *
   * @throws MalformedException if it is damaged, or of a version that this one does not read
   */
  public void readSnapshot(InputStream input) throws IOException, MalformedException {
    machine.readSnapshot(input);
  }
}
