package io.sedge.center.internal.api;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmEvent;
import io.sedge.center.api.AlarmsReport;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.GivenOrder;
import io.sedge.center.store.SiteAlarms;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.uplink.AlarmOrder;
import io.sedge.uplink.Uplink;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The alarms of sites, and what people do to them. */
final class AlarmHandlers {
  private static final int LISTED = 1_000;

  /** A person who acts sees alarms of now: what a site hears of later than that is not done. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  private static final Map<String, AlarmEvent> ACTIONS =
      Map.of(
          "acknowledge", AlarmEvent.ACKNOWLEDGE,
          "shelve", AlarmEvent.SHELVE,
          "unshelve", AlarmEvent.UNSHELVE);

  private final ApiContext context;

  AlarmHandlers(ApiContext context) {
    this.context = context;
  }

  void list(Call call) throws ApiException, StoreException {
    call.allow(Set.of("site", "limit"));
    Optional<String> site = call.parameter("site");
    int limit = call.number("limit", 1, LISTED).orElse((long) LISTED).intValue();
    List<AlarmsReport.OfSite> alarms = new ArrayList<>();
    for (SiteAlarms.OfSite one : context.store().alarms().list(site, limit)) {
      alarms.add(report(one.site(), one.alarm()));
    }
    call.answer(
        new AlarmsReport(
            context.clock().millis(),
            counts(context.store(), site),
            context.store().alarms().size(site),
            alarms));
  }

  /** How many alarms sites have together. */
  static AlarmCounts counts(Store store, Optional<String> site) throws StoreException {
    return store.alarms().counts(site).stream()
        .map(SiteAlarms.Told::counts)
        .reduce(AlarmCounts.NONE, AlarmCounts::plus);
  }

  private static AlarmsReport.OfSite report(String site, Alarm alarm) {
    return new AlarmsReport.OfSite(
        site,
        alarm.id(),
        alarm.job(),
        alarm.table(),
        name(alarm.priority()),
        alarm.key(),
        name(alarm.state()),
        alarm.raised(),
        alarm.raisedAtMillis(),
        alarm.changedAtMillis(),
        alarm.value(),
        orNull(alarm.message()),
        alarm.shelvedUntilMillis() == 0 ? null : alarm.shelvedUntilMillis(),
        orNull(alarm.by()),
        orNull(alarm.note()));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  void act(Call call) throws ApiException, StoreException {
    String action = call.path("action");
    AlarmEvent event = ACTIONS.get(action);
    if (event == null) {
      throw new ApiException(
          Reason.UNKNOWN_NAME,
          "alarms cannot be '%s'd: acknowledge, shelve or unshelve them".formatted(action));
    }
    GivenOrder given =
        context
            .store()
            .orders()
            .give(
                call.path("name"),
                order(event, call.body(Requests.ForAlarms.class)),
                call.caller().who(),
                Optional.of(LIFE));
    call.answer(201, report(given));
  }

  private static AlarmOrder order(AlarmEvent event, Requests.ForAlarms asked) throws ApiException {
    List<Requests.ForAlarms.Target> targets = asked.targets();
    if (targets == null || targets.isEmpty() || targets.size() > Uplink.MAX_ALARMS) {
      throw new ApiException(
          Reason.MALFORMED, "targets: name 1 to %d alarms".formatted(Uplink.MAX_ALARMS));
    }
    List<AlarmAction.Target> named = new ArrayList<>();
    for (Requests.ForAlarms.Target target : targets) {
      if (target == null) {
        throw new ApiException(Reason.MALFORMED, "targets: an alarm is an object with its id");
      }
      named.add(new AlarmAction.Target(target.id(), target.raised() == null ? 0 : target.raised()));
    }
    long seconds = asked.shelveSeconds() == null ? 0 : asked.shelveSeconds();
    try {
      return new AlarmOrder(
          event, named, Duration.ofSeconds(seconds), asked.note() == null ? "" : asked.note());
    } catch (IllegalArgumentException e) {
      throw new ApiException(Reason.MALFORMED, String.valueOf(e.getMessage()), e);
    }
  }

  void show(Call call) throws ApiException, StoreException {
    call.answer(report(GivenOrders.find(context, call, AlarmOrder.KIND, "action on alarms")));
  }

  private static AlarmsReport.Action report(GivenOrder order) throws ApiException {
    try {
      AlarmOrder asked = AlarmOrder.read(order.body());
      return new AlarmsReport.Action(
          order.id().toString(),
          order.site(),
          name(asked.event()),
          asked.targets().size(),
          order.givenBy(),
          order.givenAt().toEpochMilli(),
          name(order.state()),
          orNull(order.detail()),
          order.state().isFinal());
    } catch (UplinkException e) {
      throw new ApiException(Reason.INTERNAL, "an order that cannot be read: " + e, e);
    }
  }
}
