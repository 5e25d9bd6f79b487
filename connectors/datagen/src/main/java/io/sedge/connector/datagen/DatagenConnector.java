package io.sedge.connector.datagen;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** The connector {@code datagen}: makes rows up, at random or counting, at a given pace. */
public final class DatagenConnector implements ConnectorFactory {
  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              "rows-per-second", Option.Kind.INTEGER, "10000", "The pace; above zero."),
          Option.optional(
              "number-of-rows",
              Option.Kind.INTEGER,
              "How many rows there are in all. Without it, and without a sequence, the table never"
                  + " ends."),
          Option.optional(
              "seed",
              Option.Kind.INTEGER,
              "The same seed gives the same rows, but for dates and times, which are near the"
                  + " present. Sedge's own."),
          Option.choice(
              "fields.#.kind",
              "random",
              List.of("random", "sequence"),
              "How the column # is made up. The elements of an ARRAY column a have options of their"
                  + " own, fields.a.element.length and so on, and so has a field f of a ROW column"
                  + " r: fields.r.f.length."),
          Option.optional(
              "fields.#.min",
              Option.Kind.DECIMAL,
              "The least random number; by default the type's least."),
          Option.optional(
              "fields.#.max",
              Option.Kind.DECIMAL,
              "The greatest random number; by default the type's greatest."),
          Option.withDefault(
              "fields.#.max-past",
              Option.Kind.DURATION,
              "0 ms",
              "How far before the present a random timestamp may be."),
          Option.optional(
              "fields.#.length",
              Option.Kind.INTEGER,
              "The length of random strings, 100 by default, and arrays, 3."),
          Option.withDefault(
              "fields.#.var-len",
              Option.Kind.BOOLEAN,
              "false",
              "Whether random strings are of any length from 1 to the one given."),
          Option.optional("fields.#.start", Option.Kind.INTEGER, "The first number of a sequence."),
          Option.optional("fields.#.end", Option.Kind.INTEGER, "The last number of a sequence."),
          Option.withDefault(
              "fields.#.null-rate",
              Option.Kind.DECIMAL,
              "0",
              "The share of NULLs among random values, from 0 to 1."));

  @Override
  public String name() {
    return "datagen";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    long rowsPerSecond = options.integer("rows-per-second", 1, 1_000_000_000);
    Generators generators = Generators.of(table, options, context.clock());
    OptionalLong rows = generators.rows();
    if (options.has("number-of-rows")) {
      long most = options.integer("number-of-rows", 0, Long.MAX_VALUE);
      rows = OptionalLong.of(Math.min(most, rows.orElse(most)));
    }
    OptionalLong seed =
        options.has("seed") ? OptionalLong.of(options.integer("seed")) : OptionalLong.empty();
    return Optional.of(new Generated(table, generators, rowsPerSecond, rows, seed));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  private record Generated(
      TableDescriptor table,
      Generators generators,
      long rowsPerSecond,
      OptionalLong rows,
      OptionalLong seed)
      implements Source {
    @Override
    public boolean bounded() {
      return rows.isPresent();
    }

    @Override
    public SourceReader open() {
      long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong());
      return new DatagenReader(
          table.schema(), generators, rowsPerSecond, rows.orElse(Long.MAX_VALUE), chosen);
    }
  }
}
