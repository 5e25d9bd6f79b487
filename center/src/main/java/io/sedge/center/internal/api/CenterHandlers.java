package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.sedge.center.api.BackupReport;
import io.sedge.center.api.CenterStatus;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreStatus;
import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The center itself: how it is, what it measures, and copies of its database. */
final class CenterHandlers {
  private static final String BACKUPS = "backups";
  private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final String DESCRIPTION = "/io/sedge/center/openapi.yaml";

  private final ApiContext context;
  private final CenterMetrics metrics;

  CenterHandlers(ApiContext context, CenterMetrics metrics) {
    this.context = context;
    this.metrics = metrics;
  }

  void health(Call call) {
    boolean available = context.store().status().available();
    call.answer(available ? 200 : 503, Map.of("ok", available));
  }

  void description(Call call) {
    try (InputStream text = CenterHandlers.class.getResourceAsStream(DESCRIPTION)) {
      if (text == null) {
        throw new IllegalStateException("the description of the API is missing");
      }
      call.response()
          .header(HeaderNames.CONTENT_TYPE, "application/yaml")
          .send(text.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void metrics(Call call) throws StoreException {
    call.response().header(HeaderNames.CONTENT_TYPE, CenterMetrics.TYPE).send(metrics.text());
  }

  void status(Call call) throws StoreException {
    call.answer(
        new CenterStatus(
            context.version(),
            context.address().get(),
            context.siteAddress().get(),
            context.startedAt().toEpochMilli(),
            context.store().sites().list().size(),
            context.store().tables().size(),
            database(context.store().status())));
  }

  private static CenterStatus.Database database(StoreStatus status) {
    return new CenterStatus.Database(
        status.database(),
        status.available(),
        status.bytes(),
        status.queuedAppends(),
        status.queuedBytes(),
        status.commits(),
        status.blocks(),
        status.rows(),
        status.repeatedBlocks(),
        status.repairedValues(),
        status.rejectedRows(),
        status.refusedAppends(),
        status.lastFailure().map(failure -> failure.at().toEpochMilli()).orElse(null),
        status.lastFailure().map(StoreStatus.Failure::message).orElse(null));
  }

  void backup(Call call) throws ApiException, StoreException {
    String name = Call.required("file", call.body(Requests.Backup.class).file());
    if (!FILE.matcher(name).matches()) {
      throw new ApiException(
          Reason.MALFORMED,
          ("file=%s: give a name without a directory, of up to 128 letters, digits, '.', '_' and"
                  + " '-', a letter or digit first")
              .formatted(name));
    }
    Path file = context.data().resolve(BACKUPS).resolve(name).toAbsolutePath();
    try {
      SecretFiles.makeDirectory(file.resolveSibling("."));
      if (Files.exists(file)) {
        throw new ApiException(
            Reason.NAME_TAKEN, "%s is there already: give another name".formatted(file));
      }
      context.audit(call, "backup", name, "");
      context.store().backup(file);
      call.answer(201, new BackupReport(file.toString(), Files.size(file)));
    } catch (IOException e) {
      throw new ApiException(
          Reason.STORE_UNAVAILABLE, "%s cannot be written: %s".formatted(file, e), e);
    }
  }
}
