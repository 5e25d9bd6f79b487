package io.sedge.sql.internal;

import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** What follows AS in CREATE MODEL: compiles it, and checks that a model can be trained from it. */
final class TrainingQueries {
  private static final String EXAMPLE =
      "AS SELECT vibration, temperature, failed FROM kept, where kept is a table WITH ('connector'"
          + " = 'history', 'table' = 'readings')";

  private final Surroundings surroundings;
  private final Supplier<JobBuilder> builders;

  /**
   * @param builders makes one for a job of its own
   */
  TrainingQueries(Surroundings surroundings, Supplier<JobBuilder> builders) {
    this.surroundings = surroundings;
    this.builders = builders;
  }

  /**
   * The query of a model; empty if it is not trained.
   *
   * @param query if the statement has one
   */
  Optional<Job> of(
      ModelDescriptor model,
      ModelProvider provider,
      Optional<SqlNode> query,
      SqlParserPos position) {
    if (!provider.isTrained()) {
      if (query.isPresent()) {
        throw new UnsupportedException(
            "model %s: 'provider' = '%s' takes a model that was trained before, so AS has no meaning"
                .formatted(model.name(), provider.name()),
            "'provider' = 'site', which trains it here; or leave AS out",
            query.get().getParserPosition());
      }
      return Optional.empty();
    }
    if (query.isEmpty()) {
      throw new UnsupportedException(
          "model %s: 'provider' = '%s' trains it, and there is no query that says from which rows"
              .formatted(model.name(), provider.name()),
          EXAMPLE,
          position);
    }
    SqlParserPos place = query.get().getParserPosition();
    JobBuilder builder = builders.get();
    builder.select(query.get(), place);
    Job job = builder.build(List.of());
    checkRows(model, job, place);
    checkColumns(model, provider.label(model), job, place);
    return Optional.of(job);
  }

  private void checkRows(ModelDescriptor model, Job job, SqlParserPos place) {
    if (job.sinks().values().stream().anyMatch(Job.SinkTable::updating)) {
      throw new UnsupportedException(
          "model %s: its query gives rows that change".formatted(model.name()),
          "a query whose rows stay, such as one with a window",
          place);
    }
    for (Job.SourceTable table : job.sources().values()) {
      Optional<Source> source =
          surroundings
              .connectors()
              .named(table.table().name(), table.connector())
              .source(table.table(), surroundings);
      boolean own =
          source
              .filter(each -> each.bounded() && each.division().equals(Division.BY_DEVICE))
              .isPresent();
      if (!own) {
        throw new UnsupportedException(
            "model %s: each device trains from rows that it has itself, and table `%s` of connector '%s' is none of those"
                .formatted(model.name(), table.table().name(), table.connector()),
            EXAMPLE,
            place);
      }
    }
    if (job.sources().isEmpty()) {
      throw new UnsupportedException(
          "model %s: its query reads no table".formatted(model.name()), EXAMPLE, place);
    }
  }

  private static void checkColumns(
      ModelDescriptor model, Optional<String> label, Job job, SqlParserPos place) {
    Schema schema = job.sinks().values().iterator().next().table().schema();
    List<String> wanted = new ArrayList<>(model.input().names());
    label.ifPresent(wanted::add);
    for (String name : wanted) {
      int column = schema.indexOf(name);
      if (column < 0) {
        throw new UnsupportedException(
            "model %s: its query has no column `%s`, which is %s; it has %s%s"
                .formatted(
                    model.name(),
                    name,
                    label.filter(name::equals).isPresent() ? "its 'label'" : "in INPUT",
                    String.join(", ", schema.names()),
                    Names.didYouMean(name, schema.names())),
            null,
            place);
      }
      Kind kind = schema.type(column).kind();
      if (!kind.isNumeric() && kind != Kind.BOOLEAN) {
        throw new UnsupportedException(
            "model %s: column `%s` of its query is %s, which is no number"
                .formatted(model.name(), name, schema.type(column)),
            "CASE WHEN … THEN 1 ELSE 0 END, or another number",
            place);
      }
    }
  }
}
