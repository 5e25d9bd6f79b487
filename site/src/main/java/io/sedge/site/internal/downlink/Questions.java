package io.sedge.site.internal.downlink;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Ledger;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLogReader;
import io.sedge.site.api.SiteLogReader.SiteLine;
import io.sedge.task.JobListener;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteLog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers what people at the center ask, if the site's owner lets them. Nothing is kept of that: a
 * question that is lost is asked again by who still wants to know. Any thread.
 */
public final class Questions {
  private final Ledger ledger;
  private final Logs logs;
  private final Bundles bundles;
  private final JobListener listener;

  /** The latest that devices have said; waits for them. */
  @FunctionalInterface
  public interface Logs {
    /**
     * @param job about which; empty for all
     * @param devices whose; empty for all
     */
    List<DeviceLogs> latest(String job, Set<String> devices) throws SiteException;
  }

  /** Makes a zip file for whoever looks for a fault of a device; waits for that. */
  @FunctionalInterface
  public interface Bundles {
    byte[] make(String device) throws SiteException;
  }

  public Questions(Ledger ledger, Logs logs, Bundles bundles, JobListener listener) {
    this.ledger = ledger;
    this.logs = logs;
    this.bundles = bundles;
    this.listener = listener;
  }

  /** The answer, or why there is none; waits for other devices. */
  QuestionAnswer answer(Question question) {
    boolean allowed = ledger.read(state -> state.allows(CenterRight.DIAGNOSIS));
    // What is not allowed is said in one text: else whoever asks could fill the device's log.
    listener.report(
        allowed ? Severity.INFO : Severity.WARNING,
        allowed
            ? "%s at the center asks for the %s of %s"
                .formatted(
                    question.askedBy(),
                    question.kind(),
                    question.device().isEmpty() ? "all devices" : "device " + question.device())
            : "the center asks what devices have said, or for a bundle, which the site does not"
                + " allow");
    if (!allowed) {
      return QuestionAnswer.refused(
          "the site lets no center read what its devices have said: its owner may type `sedge site"
              + " allow --diagnosis`");
    }
    try {
      return switch (question.kind()) {
        case Question.LOG -> QuestionAnswer.of(log(question.device(), question.job()).bytes());
        case Question.BUNDLE -> QuestionAnswer.of(bundles.make(question.device()));
        default ->
            QuestionAnswer.refused(
                "this version of Sedge does not know questions of kind '%s': upgrade the site"
                    .formatted(question.kind()));
      };
    } catch (SiteException e) {
      return QuestionAnswer.refused(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      listener.report(
          Severity.ERROR, "a fault in Sedge while a question of the center is answered: " + e);
      return QuestionAnswer.refused("a fault in Sedge: " + e);
    }
  }

  private SiteLog log(String device, String job) throws SiteException {
    Map<String, List<LogLine>> lines = new TreeMap<>();
    Map<String, String> unavailable = new TreeMap<>();
    for (DeviceLogs said : logs.latest(job, device.isEmpty() ? Set.of() : Set.of(device))) {
      if (said.failure().isEmpty()) {
        lines.put(said.device(), said.page().lines());
      } else {
        unavailable.put(said.device(), said.failure());
      }
    }
    return SiteLog.latest(
        SiteLogReader.merged(lines).stream().map(Questions::line).toList(), unavailable);
  }

  private static SiteLog.Line line(SiteLine said) {
    LogLine line = said.line();
    return new SiteLog.Line(
        said.device(), line.atMillis(), line.severity().name(), line.task(), line.text());
  }
}
