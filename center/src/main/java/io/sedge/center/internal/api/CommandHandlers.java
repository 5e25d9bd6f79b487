package io.sedge.center.internal.api;

import io.sedge.center.api.CommandReport;
import io.sedge.center.api.ConditionReport;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.GivenOrder;
import io.sedge.center.store.Orders;
import io.sedge.center.store.StoreException;
import io.sedge.uplink.TableCommand;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Commands to tables of sites' jobs, and how sites are. */
final class CommandHandlers {
  private static final long LIFE_SECONDS = 30;
  private static final int LISTED = 100;
  private static final int MAX_LISTED = 1_000;
  private static final int MAX_TEXT = 4_096;
  private static final String COMMAND = "command";

  private final ApiContext context;

  CommandHandlers(ApiContext context) {
    this.context = context;
  }

  void give(Call call) throws ApiException, StoreException {
    Requests.ForCommand asked = call.body(Requests.ForCommand.class);
    long seconds = asked.expiresSeconds() == null ? LIFE_SECONDS : asked.expiresSeconds();
    if (seconds < 1 || seconds > Orders.MAX_LIFE.toSeconds()) {
      throw new ApiException(
          Reason.MALFORMED,
          "expiresSeconds=%d: from 1 to %d (7 days) are allowed"
              .formatted(seconds, Orders.MAX_LIFE.toSeconds()));
    }
    TableCommand command = command(asked);
    GivenOrder given =
        context
            .store()
            .orders()
            .give(
                call.path("name"),
                command,
                call.caller().who(),
                Optional.of(Duration.ofSeconds(seconds)));
    call.answer(201, report(given));
  }

  private static TableCommand command(Requests.ForCommand asked) throws ApiException {
    String job = Call.required("job", asked.job());
    String table = Call.required("table", asked.table());
    Map<String, String> values = asked.values();
    if (values == null || values.isEmpty() || values.size() > TableCommand.MAX_COLUMNS) {
      throw new ApiException(
          Reason.MALFORMED,
          "values: a command gives 1 to %d columns a value".formatted(TableCommand.MAX_COLUMNS));
    }
    List<String> texts = new ArrayList<>(List.of(job, table));
    for (Map.Entry<String, String> value : values.entrySet()) {
      if (value.getValue() == null) {
        throw new ApiException(
            Reason.MALFORMED,
            "values: leave column %s out for it to be NULL".formatted(value.getKey()));
      }
      texts.add(value.getKey());
      texts.add(value.getValue());
    }
    if (texts.stream().anyMatch(text -> text.length() > MAX_TEXT)) {
      throw new ApiException(
          Reason.MALFORMED, "names and values have %,d characters at most".formatted(MAX_TEXT));
    }
    return new TableCommand(job, table, values);
  }

  void list(Call call) throws ApiException, StoreException {
    call.allow(Set.of("limit"));
    int limit = call.number("limit", 1, MAX_LISTED).orElse((long) LISTED).intValue();
    List<CommandReport> reports = new ArrayList<>();
    for (GivenOrder order :
        context.store().orders().list(call.path("name"), TableCommand.KIND, limit)) {
      reports.add(report(order));
    }
    call.answer(reports);
  }

  void show(Call call) throws ApiException, StoreException {
    call.answer(report(GivenOrders.find(context, call, TableCommand.KIND, COMMAND)));
  }

  void cancel(Call call) throws ApiException, StoreException {
    GivenOrder order =
        context
            .store()
            .orders()
            .cancel(
                call.path("name"),
                GivenOrders.find(context, call, TableCommand.KIND, COMMAND).id(),
                call.caller().who())
            .orElseThrow(() -> GivenOrders.unknown(call, COMMAND));
    call.answer(report(order));
  }

  private static CommandReport report(GivenOrder order) throws ApiException {
    try {
      TableCommand command = TableCommand.read(order.body());
      return new CommandReport(
          order.id().toString(),
          order.site(),
          order.number(),
          command.job(),
          command.table(),
          command.values(),
          order.givenBy(),
          order.givenAt().toEpochMilli(),
          order.expiresAt().map(Instant::toEpochMilli).orElse(null),
          order.state().name().toLowerCase(Locale.ROOT),
          order.detail().isEmpty() ? null : order.detail(),
          order.stateAt().toEpochMilli(),
          order.state().isFinal());
    } catch (UplinkException e) {
      throw new ApiException(Reason.INTERNAL, "a command that cannot be read: " + e, e);
    }
  }

  void condition(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    Orders.Told told =
        context
            .store()
            .orders()
            .condition(name)
            .orElseThrow(
                () ->
                    new ApiException(
                        Reason.UNKNOWN_NAME,
                        "no site called '%s' has told how it is".formatted(name)));
    call.answer(
        new ConditionReport(
            told.at().toEpochMilli(),
            told.condition().leader(),
            told.condition().devices(),
            told.condition().jobs()));
  }
}
