package io.sedge.sql.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.jspecify.annotations.Nullable;

/** Compiles queries and gathers what the job reads, computes and writes. */
final class JobBuilder {
  private final Surroundings surroundings;
  private final Catalog catalog;
  private final ModelCatalog models;
  private final QueryPlanner planner;
  private final Functions functions;
  private final Settings settings;
  private final Map<String, Job.SourceTable> sources = new LinkedHashMap<>();
  private final Map<String, Job.SinkTable> sinks = new LinkedHashMap<>();
  private final List<Plan.SinkNode> nodes = new ArrayList<>();

  /** What becomes known of each model that is watched. */
  private final Map<String, Plan.SinkNode> watched = new HashMap<>();

  private int queries;
  private @Nullable ZoneId zone;
  private @Nullable Boolean batch;

  JobBuilder(
      Surroundings surroundings,
      Catalog catalog,
      ModelCatalog models,
      QueryPlanner planner,
      Functions functions,
      Settings settings) {
    this.surroundings = surroundings;
    this.catalog = catalog;
    this.models = models;
    this.planner = planner;
    this.functions = functions;
    this.settings = settings;
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** The tables that payloads which cannot be decoded go to, as sinks. */
  void addMalformedTables(Problems problems) {
    for (Job.SourceTable source : List.copyOf(sources.values())) {
      source
          .malformedTable()
          .ifPresent(
              name -> {
                try {
                  DeclaredTable table = MalformedTables.find(name, source.table(), catalog);
                  addSink(table, Optional.empty(), table.position());
                } catch (UnsupportedException e) {
                  problems.add(
                      placeOf(source.table().name()),
                      String.valueOf(e.getMessage()),
                      Optional.ofNullable(e.remedy()));
                }
              });
    }
  }

  /** The tables that cannot be read anew, as the job makes more of them than to look rows up. */
  void checkLookupCaches(Problems problems) {
    LookupCache.misused(new Plan(nodes), sources)
        .forEach(
            table ->
                problems.add(
                    placeOf(table),
                    LookupCache.misuse(table),
                    Optional.of("a second CREATE TABLE of the same for what is read once")));
  }

  private SqlParserPos placeOf(String table) {
    CatalogTable found = catalog.find(table);
    DeclaredTable declared = found == null ? null : found.declared();
    return declared == null ? new SqlParserPos(1, 1) : declared.position();
  }

  /**
   * @param trainings of the models that the script declares
   */
  Job build(List<Job.Training> trainings) {
    String name = settings.values().getOrDefault(Settings.NAME, baseName(surroundings.name()));
    Map<String, String> values = new TreeMap<>(settings.values());
    // What holds is what was set at the queries, whatever was set after them.
    if (batch != null && batch) {
      values.put(Job.RUNTIME_MODE, Job.BATCH);
    } else if (settings.batch()) {
      values.remove(Job.RUNTIME_MODE);
    }
    Plan plan = new Plan(nodes);
    Map<String, List<TimeBounds>> bounds = ScanBounds.of(plan);
    sources.replaceAll(
        (table, source) ->
            TableUse.withBounds(surroundings, source, bounds.getOrDefault(table, List.of())));
    return new Job(
        name,
        values,
        notes(trainings),
        sources,
        sinks,
        plan,
        functions.scalars(zone == null ? settings.zone() : zone),
        functions.aggregates(),
        functions.sources(),
        trainings.stream().map(training -> training.of(name)).toList(),
        models.board());
  }

  /** What people should know: of tables that are only written, what only reading them would use. */
  private List<String> notes(List<Job.Training> trainings) {
    Set<String> read = new HashSet<>(sources.keySet());
    trainings.forEach(training -> read.addAll(training.query().sources().keySet()));
    List<String> notes = new ArrayList<>(settings.notes());
    for (String name : sinks.keySet()) {
      CatalogTable found = catalog.find(name);
      DeclaredTable table = found == null ? null : found.declared();
      if (table != null && !read.contains(name)) {
        SourceOptions.ofReading(table.allOptions().keySet())
            .forEach(
                option ->
                    notes.add(
                        "table `%s`: '%s' has no effect, as the job does not read the table"
                            .formatted(name, option)));
      }
    }
    return notes;
  }

  private static String baseName(String file) {
    String last = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    int dot = last.lastIndexOf('.');
    return dot > 0 ? last.substring(0, dot) : last;
  }

  /** A bare SELECT: its rows are shown. */
  void select(SqlNode query, SqlParserPos begin) {
    RelRoot root = planner.plan(query);
    Query compiled = compile(root, begin);
    String name = Job.QUERY_PREFIX + ++queries;
    // Columns of one name, as of two tables that are joined, get numbers, as in Flink.
    Schema schema =
        Types.schema(
            planner
                .rexBuilder()
                .getTypeFactory()
                .builder()
                .addAll(root.validatedRowType.getFieldList())
                .uniquify()
                .build());
    TableDescriptor table =
        new TableDescriptor(
            name,
            schema,
            Map.of(),
            List.of(),
            List.of(),
            Map.of(),
            "%s:%d".formatted(surroundings.name(), begin.getLineNum()));
    Relation result = compiled.relation();
    PlanNode node =
        Nodes.project(result.node(), Expressions.identity(result.node().schema()), schema);
    sinks.put(name, new Job.SinkTable(table, Job.TERMINAL, result.updating()));
    add(name, node, compiled, begin);
  }

  /** The tree of a view's query, which is checked here and compiled where the view is used. */
  RelNode view(SqlCreateView create, SqlParserPos begin) {
    RelRoot root = planner.plan(create.getQuery());
    RelNode tree = root.project();
    lower(tree, begin);
    SqlNodeList names = create.getFieldList();
    if (names.isEmpty()) {
      return tree;
    }
    if (names.size() != tree.getRowType().getFieldCount()) {
      throw new UnsupportedException(
          "the view names %d columns, but its query gives %d"
              .formatted(names.size(), tree.getRowType().getFieldCount()),
          null,
          names.getParserPosition());
    }
    List<String> fieldNames =
        names.stream().map(name -> ((SqlIdentifier) name).getSimple()).toList();
    return LogicalProject.create(
        tree,
        List.of(),
        planner.rexBuilder().identityProjects(tree.getRowType()),
        fieldNames,
        Set.of());
  }

  /** INSERT INTO. */
  void insert(RichSqlInsert insert, SqlParserPos begin) {
    if (insert.isOverwrite()) {
      throw new UnsupportedException(
          "INSERT OVERWRITE is not supported",
          "INSERT INTO; delete the files of earlier runs before, or write another 'path'",
          begin);
    }
    UnsupportedSyntax.refuse(insert.getTargetTable());
    SqlIdentifier target = (SqlIdentifier) insert.getTargetTableID();
    DeclaredTable table = table(target);
    RelRoot root = planner.plan(insert.getSource());
    Query compiled = compile(root, insert.getSource().getParserPosition());
    ExpressionLowering expressions = compiled.expressions();
    InsertColumns columns = InsertColumns.of(insert, table, root.validatedRowType);
    PlanNode node = columns.project(compiled.relation().node(), expressions);
    Optional<PlanNode> updates =
        compiled.relation().updating() ? Optional.of(node) : Optional.empty();
    addSink(table, updates, target.getParserPosition());
    add(table.name(), node, compiled, insert.getParserPosition());
  }

  private DeclaredTable table(SqlIdentifier target) {
    String name = TableStatements.simpleName(target);
    CatalogTable found = catalog.find(name);
    if (found == null) {
      throw new UnsupportedException(
          "INSERT INTO: there is no table `%s`%s"
              .formatted(name, Names.didYouMean(name, catalog.names())),
          null,
          target.getParserPosition());
    }
    DeclaredTable table = found.declared();
    if (table == null) {
      throw new UnsupportedException(
          "INSERT INTO `%s`: it is a view".formatted(name),
          "the name of a table",
          target.getParserPosition());
    }
    return table;
  }

  /**
   * @param updates the rows, if they change
   */
  private void addSink(DeclaredTable table, Optional<PlanNode> updates, SqlParserPos position) {
    TableUse.requireSink(surroundings, table, updates, position);
    Job.SinkTable known = sinks.get(table.name());
    boolean updating = updates.isPresent() || (known != null && known.updating());
    sinks.put(
        table.name(),
        new Job.SinkTable(table.descriptor(), table.connector(), updating, TableUse.labels(table)));
  }

  private record Query(
      Relation relation, ExpressionLowering expressions, LoweringContext context) {}

  /** Adds a query's rows, and where they are wanted its late ones. */
  private void add(String sink, PlanNode node, Query query, SqlParserPos position) {
    PlanNode folded = new Constants(functions.check()).folded(node);
    nodes.add(new Plan.SinkNode(sink, Pruning.prune(folded)));
    addDrifts(query);
    if (settings.lateTable().isEmpty()) {
      return;
    }
    DeclaredTable late = LateTables.find(settings.lateTable().get(), catalog, position);
    for (PlanNode.WindowAggregate window : query.context().windows()) {
      PlanNode rows = LateTables.rows(window, late, query.expressions(), position);
      addSink(late, Optional.empty(), position);
      Plan.SinkNode lateRows = new Plan.SinkNode(late.name(), Pruning.prune(rows));
      // Queries over one view share its window, whose late rows are to be kept once.
      if (!nodes.contains(lateRows)) {
        nodes.add(lateRows);
      }
    }
  }

  /** Adds what becomes known of the drift of models that are watched, once for the same rows. */
  private void addDrifts(Query query) {
    for (DriftTables.Scored scored : query.context().scored()) {
      DeclaredTable table = DriftTables.find(scored, catalog);
      PlanNode rows = DriftTables.rows(scored, table, query.expressions());
      addSink(table, Optional.empty(), scored.position());
      // As the query's: equal steps are run once.
      PlanNode folded = new Constants(functions.check()).folded(rows);
      Plan.SinkNode drifts = new Plan.SinkNode(table.name(), Pruning.prune(folded));
      Plan.SinkNode before = watched.putIfAbsent(scored.model().name(), drifts);
      if (before == null) {
        nodes.add(drifts);
      } else if (!before.equals(drifts)) {
        throw DriftTables.otherRows(scored);
      }
    }
  }

  private Query compile(RelRoot root, SqlParserPos begin) {
    keepZone(begin);
    keepMode(begin);
    settings.lateColumns(
        settings
            .lateTable()
            .map(name -> LateTables.find(name, catalog, begin).descriptor().schema().names())
            .orElse(List.of()));
    Query query = lower(root.project(), begin);
    query
        .context()
        .sources()
        .forEach(
            (name, table) ->
                sources.put(
                    name,
                    TableUse.source(
                        surroundings, table, settings, query.context().scanned().get(name))));
    return query;
  }

  /** A job has one time zone: its functions are found once, for all its queries. */
  private void keepZone(SqlParserPos begin) {
    if (zone == null) {
      zone = settings.zone();
    } else if (!zone.equals(settings.zone())) {
      throw new UnsupportedException(
          "'%s' is %s here, and was %s for the queries before"
              .formatted(Job.ZONE, settings.zone(), zone),
          "SET '%s' once, before the first query, or a script of its own for each zone"
              .formatted(Job.ZONE),
          begin);
    }
  }

  /** A job is over streams or over input that ends, whole. */
  private void keepMode(SqlParserPos begin) {
    if (batch == null) {
      batch = settings.batch();
    } else if (batch != settings.batch()) {
      throw new UnsupportedException(
          "'%s' is %s here, and was %s for the queries before"
              .formatted(Job.RUNTIME_MODE, mode(settings.batch()), mode(batch)),
          "SET '%s' once, before the first query, or a script of its own for each mode"
              .formatted(Job.RUNTIME_MODE),
          begin);
    }
  }

  private static String mode(boolean batch) {
    return batch ? Job.BATCH : "streaming";
  }

  /** Whether a query before reads or writes a table. */
  boolean uses(String table) {
    return sources.containsKey(table) || sinks.containsKey(table);
  }

  private Query lower(RelNode tree, SqlParserPos begin) {
    LoweringContext context =
        new LoweringContext(surroundings, planner, settings, functions.aggregates());
    ExpressionLowering expressions =
        new ExpressionLowering(planner.rexBuilder(), functions.check(), planner.places());
    try {
      Relation relation = new Lowering(context, expressions, planner.rexBuilder()).query(tree);
      return new Query(relation, expressions, context);
    } catch (UnsupportedException e) {
      throw e.at(begin);
    }
  }
}
