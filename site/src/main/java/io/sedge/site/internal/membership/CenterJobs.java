package io.sedge.site.internal.membership;

import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.util.Optional;

/**
 * Jobs that the site's center gives, by the same ways as those of the site's own people. All of it
 * may be repeated. Any thread.
 *
 * <pre>
 *   the site has                    check      deploy                    remove
 *   no job of the name              compiles   marks it, submits it      nothing
 *   one of the center, it runs      and plans  replaces it, marks it     stops it, removes it
 *                                   to replace
 *   one of the center, has ended    compiles   removes it, as if none    removes it
 *   one of the center, with the     compiles   marks it, unless it has   the same
 *   same script                                failed or was stopped
 *   one of its own                  refuses    refuses                   refuses
 * </pre>
 *
 * <p>A version and its script are compared, since a center that was put back from a backup gives
 * numbers of versions to other scripts.
 */
final class CenterJobs implements GivenJobs {
  private final LedgerControl control;
  private final LedgerMember member;
  private final LedgerMembership membership;

  CenterJobs(LedgerControl control, LedgerMember member, LedgerMembership membership) {
    this.control = control;
    this.member = member;
    this.membership = membership;
  }

  /** A job of a name, and the center's version of it; each may be missing. */
  private record Known(boolean allowed, Optional<Job> job, Optional<Long> version) {
    static Known of(String name, SiteState state) {
      return new Known(
          state.allows(CenterRight.JOBS),
          state.job(name),
          Optional.ofNullable(state.givenJobs().get(name)));
    }

    Optional<Job> running() {
      return job.filter(known -> !known.state().hasEnded());
    }
  }

  @Override
  public void check(String name, String script) throws SiteException {
    Known known = known(name);
    control.checkScript(name, script);
    Optional<Job> running = known.running();
    if (running.isPresent() && !running.get().script().equals(script)) {
      var _ = control.replacement(name, control.discover(name, script).script());
    }
  }

  @Override
  public void deploy(String name, long version, String script) throws SiteException {
    Known known = known(name);
    String found = control.discover(name, script).script();
    boolean same = known.job().map(Job::script).equals(Optional.of(found));
    if (same && known.version().equals(Optional.of(version))) {
      return;
    }
    if (same && known.job().map(Job::state).equals(Optional.of(JobState.FINISHED))) {
      mark(name, version);
      return;
    }
    Optional<Job> running = known.running();
    if (running.isEmpty()) {
      if (known.job().isPresent()) {
        var _ = control.removeJob(name, false);
      }
      mark(name, version);
      control.submitGiven(name, found);
      return;
    }
    if (!running.get().script().equals(found)) {
      control.replaceGiven(name, found, control.replacement(name, found));
    }
    mark(name, version);
  }

  @Override
  public void remove(String name) throws SiteException {
    Known known = known(name);
    if (known.running().isPresent()) {
      control.stop(name);
    }
    if (known.job().isPresent()) {
      var _ = control.removeJob(name, false);
    } else if (known.version().isPresent()) {
      mark(name, 0);
    }
  }

  private void mark(String name, long version) throws SiteException {
    membership.submit(
        new Command.MarkJob(name, version), "noting that job %s is the center's".formatted(name));
  }

  private Known known(String name) throws SiteException {
    Known known = member.read(state -> Known.of(name, state));
    if (!known.allowed()) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "the site takes no jobs of a center: its owner allows that by `sedge site allow --jobs`");
    }
    if (known.job().isPresent() && known.version().isEmpty()) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "the site has a job '%s' of its own, which a center does not touch: deploy under another name, or have it stopped and removed there"
              .formatted(name));
    }
    return known;
  }
}
