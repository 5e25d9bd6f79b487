package io.sedge.center.internal.api;

import com.fasterxml.jackson.core.type.TypeReference;
import io.sedge.center.api.Requests;
import io.sedge.center.api.SiteReport;
import io.sedge.center.api.SiteToken;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.server.SiteTokens;
import io.sedge.center.store.Orders;
import io.sedge.center.store.Site;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.uplink.SiteCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sites: who they are, what they have sent, and the tokens with which they enrol. */
final class SiteHandlers {
  private static final Duration TOKEN_LIFE = Duration.ofHours(1);
  private static final Duration MAX_TOKEN_LIFE = Duration.ofDays(7);
  private static final int MAX_LABELS = 64;
  private static final int MAX_LABEL = 256;

  private final ApiContext context;

  SiteHandlers(ApiContext context) {
    this.context = context;
  }

  void list(Call call) throws StoreException {
    call.answer(all(context.store()));
  }

  /** All sites, without their streams. */
  static List<SiteReport> all(Store store) throws StoreException {
    List<SiteReport> reports = new ArrayList<>();
    for (Site site : store.sites().list()) {
      reports.add(report(store, site, null));
    }
    return reports;
  }

  void show(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    Site site = known(context.store(), name);
    call.answer(report(context.store(), site, Streams.of(context.store(), name)));
  }

  /**
   * The site of a name.
   *
   * @throws ApiException UNKNOWN_NAME
   */
  static Site known(Store store, String name) throws ApiException, StoreException {
    return store
        .sites()
        .find(name)
        .orElseThrow(
            () -> new ApiException(Reason.UNKNOWN_NAME, "no site is called '%s'".formatted(name)));
  }

  private static SiteReport.Inventory inventory(Orders.Told told) {
    List<SiteCondition.OfDevice> devices = told.condition().devices();
    return new SiteReport.Inventory(
        told.at().toEpochMilli(),
        devices.size(),
        (int) devices.stream().filter(SiteCondition.OfDevice::alive).count(),
        devices.stream()
            .map(SiteCondition.OfDevice::version)
            .filter(version -> !version.isEmpty())
            .distinct()
            .sorted()
            .toList(),
        devices.stream()
            .mapToLong(SiteCondition.OfDevice::diskFreeBytes)
            .filter(bytes -> bytes >= 0)
            .min()
            .orElse(-1),
        told.condition().jobs().size());
  }

  private static SiteReport report(
      Store store, Site site, @Nullable List<SiteReport.Stream> streams) throws StoreException {
    return new SiteReport(
        site.name(),
        site.state().name().toLowerCase(Locale.ROOT),
        site.labels(),
        site.enrolledAt().toEpochMilli(),
        site.seenAt().map(Instant::toEpochMilli).orElse(null),
        site.generation(),
        site.held().orElse(null),
        site.fingerprint(),
        store.orders().condition(site.name()).map(SiteHandlers::inventory).orElse(null),
        streams);
  }

  void revoke(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    known(context.store(), name);
    context.audit(call, "site revoke", name, "");
    context.store().sites().revoke(name);
    call.done();
  }

  void acceptRestored(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    int before = known(context.store(), name).generation();
    context.audit(call, "site accept", name, "after generation %d".formatted(before));
    int generation = context.store().sites().acceptRestored(name);
    call.answer(Map.of("site", name, "generation", generation));
  }

  void label(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    Map<String, String> labels = call.body(new TypeReference<>() {});
    boolean small =
        labels.size() <= MAX_LABELS
            && labels.entrySet().stream()
                .allMatch(
                    label ->
                        label.getValue() != null
                            && label.getKey().length() <= MAX_LABEL
                            && label.getValue().length() <= MAX_LABEL);
    if (!small) {
      throw new ApiException(
          Reason.MALFORMED,
          "a site has %d labels at most, with names and values of up to %d characters"
              .formatted(MAX_LABELS, MAX_LABEL));
    }
    known(context.store(), name);
    context.audit(call, "site label", name, labels.toString());
    context.store().sites().label(name, labels);
    call.done();
  }

  void token(Call call) throws ApiException, StoreException {
    Requests.ForSite asked = call.body(Requests.ForSite.class);
    Duration life =
        asked.validForSeconds() == null ? TOKEN_LIFE : Duration.ofSeconds(asked.validForSeconds());
    if (life.compareTo(Duration.ofSeconds(1)) < 0 || life.compareTo(MAX_TOKEN_LIFE) > 0) {
      throw new ApiException(
          Reason.MALFORMED,
          "validForSeconds=%d: from 1 to %d (7 days) are allowed"
              .formatted(life.toSeconds(), MAX_TOKEN_LIFE.toSeconds()));
    }
    Optional<String> site = Optional.ofNullable(asked.site()).filter(name -> !name.isBlank());
    context.audit(call, "site token", site.orElse(""), "for %d s".formatted(life.toSeconds()));
    SiteTokens.SiteToken token =
        new SiteTokens(context.store(), context.authority(), context.clock()).make(site, life);
    call.answer(
        201,
        new SiteToken(
            token.text(),
            context.siteAddress().get(),
            site.orElse(null),
            token.endsAt().toEpochMilli()));
  }
}
