package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.sedge.center.api.SiteLogReport;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.uplink.SiteQuestions;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteLog;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** What devices of sites have said, and bundles of them: the site is asked, nothing is stored. */
final class DiagnosisHandlers {
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(30);

  /** A device gathers it for some seconds, and slow links have 2 MiB to carry, twice. */
  private static final Duration BUNDLE_PATIENCE = Duration.ofMinutes(3);

  /** A site comes at least each so often for orders. */
  private static final Duration SILENCE = Duration.ofMinutes(2);

  private final ApiContext context;
  private final ApiThreads threads;

  DiagnosisHandlers(ApiContext context, ApiThreads threads) {
    this.context = context;
    this.threads = threads;
  }

  void log(Call call) throws ApiException, StoreException {
    call.allow(Set.of("device", "job"));
    byte[] answer =
        ask(
            call,
            Question.LOG,
            call.parameter("device").orElse(""),
            call.parameter("job").orElse(""),
            LOG_PATIENCE);
    try {
      call.answer(report(SiteLog.read(answer)));
    } catch (UplinkException e) {
      throw unreadable(call.path("name"), e);
    }
  }

  private static SiteLogReport report(SiteLog log) {
    return new SiteLogReport(
        log.lines().stream()
            .map(
                line ->
                    new SiteLogReport.Line(
                        line.device(),
                        line.atMillis(),
                        line.severity().toLowerCase(Locale.ROOT),
                        line.task().isEmpty() ? null : line.task(),
                        line.text()))
            .toList(),
        log.unavailable());
  }

  void bundle(Call call) throws ApiException, StoreException {
    byte[] zip = ask(call, Question.BUNDLE, call.path("device"), "", BUNDLE_PATIENCE);
    call.response().header(HeaderNames.CONTENT_TYPE, "application/zip").send(zip);
  }

  private byte[] ask(Call call, String kind, String device, String job, Duration patience)
      throws ApiException, StoreException {
    String site = call.path("name");
    Question question = question(kind, device, job, call.caller().who(), patience);
    Site known =
        threads.ask(
            () -> {
              Site found = SiteHandlers.known(context.store(), site);
              context.audit(call, "site " + kind, site, device);
              return found;
            });
    checkSeen(known);
    SiteQuestions.Outcome outcome;
    try {
      outcome = context.questions().ask(site, question, patience);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
    if (outcome.silence().isPresent()) {
      throw silent(site, outcome.silence().get(), patience);
    }
    QuestionAnswer answer = outcome.answer().orElseThrow();
    if (answer.isRefused()) {
      throw new ApiException(
          Reason.SITE_REFUSED, "site %s says: %s".formatted(site, answer.refusal()));
    }
    return answer.body();
  }

  private static Question question(
      String kind, String device, String job, String who, Duration patience) throws ApiException {
    try {
      return new Question(
          UUID.randomUUID(), kind, device, job, who, Math.toIntExact(patience.toMillis()));
    } catch (IllegalArgumentException e) {
      throw new ApiException(Reason.MALFORMED, String.valueOf(e.getMessage()), e);
    }
  }

  /** Who is away for long is not waited for. */
  private void checkSeen(Site site) throws ApiException {
    Instant since = context.clock().instant().minus(SILENCE);
    if (site.seenAt().filter(since::isBefore).isEmpty()) {
      throw new ApiException(
          Reason.SITE_SILENT,
          "site %s is away: %s"
              .formatted(
                  site.name(),
                  site.seenAt()
                      .map(at -> "it was last heard of at " + at)
                      .orElse("it never came")));
    }
  }

  private static ApiException silent(String site, SiteQuestions.Silence why, Duration patience) {
    return switch (why) {
      case BUSY -> new ApiException(Reason.BUSY, "too many wait for answers of sites: come again");
      case DEAF ->
          new ApiException(
              Reason.SITE_REFUSED,
              "the version of Sedge at site %s answers no questions: upgrade its devices"
                  .formatted(site));
      case AWAY ->
          new ApiException(
              Reason.SITE_SILENT,
              "site %s has not come for the question within %d s: it seems to be away"
                  .formatted(site, patience.toSeconds()));
      case SLOW ->
          new ApiException(
              Reason.SITE_SILENT,
              "site %s has not answered within %d s: its link may be slow"
                  .formatted(site, patience.toSeconds()));
    };
  }

  private static ApiException unreadable(String site, UplinkException e) {
    return new ApiException(
        Reason.SITE_REFUSED,
        "site %s has sent an answer that cannot be read: %s".formatted(site, e.getMessage()),
        e);
  }
}
