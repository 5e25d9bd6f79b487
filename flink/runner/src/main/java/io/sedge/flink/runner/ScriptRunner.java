package io.sedge.flink.runner;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script that stands in its own jar. All inserts are one job.
 *
 * <p>The resource {@value #JOB} has, as Java properties in UTF-8:
 *
 * <table>
 * <caption>Format, version 1</caption>
 * <tr><td>{@code setting.KEY}</td><td>a setting of Flink's</td></tr>
 * <tr><td>{@code secret.NAME}</td><td>the value of a secret that was sent</td></tr>
 * <tr><td>{@code step.N.line}</td><td>where the statement stood, N from 0 on</td></tr>
 * <tr><td>{@code step.N.sql}</td><td>the statement</td></tr>
 * <tr><td>{@code step.N.kind}</td><td>{@code insert}, {@code secrets} (its strings name some), or
 * absent</td></tr>
 * </table>
 */
public final class ScriptRunner {
  private static final String JOB = "/sedge-job.properties";
  private static final String SETTING = "setting.";
  private static final String VARIABLE = "SEDGE_SECRET_";
  private static final int MAX_MESSAGE = 4_000;
  private static final int MAX_CAUSES = 20;

  private static final Pattern SECRET = Pattern.compile("\\$\\{secret:([^}']*)}");

  private final Properties job;
  private final Function<String, @Nullable String> environment;

  /** Values that no message may show, each with its name. */
  private final Map<String, String> shown = new HashMap<>();

  ScriptRunner(Properties job, Function<String, @Nullable String> environment) {
    this.job = job;
    this.environment = environment;
  }

  /**
   * What the JobManager calls.
   *
   * @throws ScriptException if Flink does not take the script
   */
  public static void main(String[] arguments) throws IOException {
    Properties job = new Properties();
    try (InputStream file = ScriptRunner.class.getResourceAsStream(JOB)) {
      if (file == null) {
        throw new IOException("the jar has no " + JOB);
      }
      Reader reader = new InputStreamReader(file, StandardCharsets.UTF_8);
      job.load(reader);
    }
    new ScriptRunner(job, System::getenv).run();
  }

  private void run() {
    TableEnvironment tables;
    try {
      tables =
          TableEnvironment.create(
              EnvironmentSettings.newInstance()
                  .withConfiguration(Configuration.fromMap(settings()))
                  .build());
    } catch (RuntimeException | LinkageError | AssertionError e) { // Flink's answer
      throw refusal("the settings: ", e);
    }
    StatementSet inserts = tables.createStatementSet();
    String sql;
    for (int step = 0; (sql = job.getProperty("step." + step + ".sql")) != null; step++) {
      String kind = job.getProperty("step." + step + ".kind", "");
      String line = job.getProperty("step." + step + ".line", "");
      try {
        if (kind.equals("insert")) {
          inserts.addInsertSql(sql);
        } else {
          tables.executeSql(kind.equals("secrets") ? withSecrets(sql) : sql);
        }
      } catch (RuntimeException | LinkageError | AssertionError e) { // Flink's answer
        throw refusal("line " + line + ": ", e);
      }
    }
    try {
      inserts.execute();
    } catch (RuntimeException | LinkageError | AssertionError e) { // Flink's answer
      throw refusal("the inserts together: ", e);
    }
  }

  /** With its causes, which logs show, unless they may have values of secrets. */
  private ScriptException refusal(String where, Throwable failure) {
    return new ScriptException(where + messages(failure), shown.isEmpty() ? failure : null);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    for (String key : job.stringPropertyNames()) {
      if (key.startsWith(SETTING)) {
        settings.put(key.substring(SETTING.length()), job.getProperty(key));
      }
    }
    return settings;
  }

  /** The statement with values in the place of names. */
  String withSecrets(String sql) {
    StringBuilder resolved = new StringBuilder();
    Matcher matcher = SECRET.matcher(sql);
    int copied = 0;
    while (matcher.find()) {
      resolved.append(sql, copied, matcher.start());
      resolved.append(secret(matcher.group(1)).replace("'", "''"));
      copied = matcher.end();
    }
    return resolved.append(sql, copied, sql.length()).toString();
  }

  private String secret(String name) {
    String value = job.getProperty("secret." + name);
    String variable = VARIABLE + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    if (value == null) {
      value = environment.apply(variable);
    }
    if (value == null || value.isEmpty()) {
      throw new IllegalStateException(
          "the secret "
              + name
              + " has no value: set "
              + variable
              + " in the environment of the JobManager, or send it with --secrets-file");
    }
    shown.put(name, value);
    return value;
  }

  /** What an exception and its causes say, each once, without values of secrets. */
  String messages(Throwable failure) {
    Set<String> messages = new LinkedHashSet<>();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      String message = cause.getMessage();
      messages.add(message == null ? cause.getClass().getName() : message.trim());
      cause = cause.getCause();
    }
    String text = String.join(": ", messages);
    List<Map.Entry<String, String>> longestFirst = new ArrayList<>(shown.entrySet());
    longestFirst.sort(Comparator.comparingInt(secret -> -secret.getValue().length()));
    for (Map.Entry<String, String> secret : longestFirst) {
      String name = "${secret:" + secret.getKey() + "}";
      text = text.replace(secret.getValue().replace("'", "''"), name);
      text = text.replace(secret.getValue(), name);
    }
    return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE);
  }
}
