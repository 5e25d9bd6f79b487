package io.sedge.flink.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What the runner does by itself; the system tests have it run in a cluster. */
class ScriptRunnerTest {
  private final Properties job = new Properties();

  private ScriptRunner runner(Map<String, String> environment) {
    return new ScriptRunner(job, environment::get);
  }

  @Test
  void aSecretThatWasSentComesFirstAndElseTheJobManagersEnvironment() {
    job.setProperty("secret.mqtt", "it's");
    ScriptRunner runner = runner(Map.of("SEDGE_SECRET_MQTT", "no", "SEDGE_SECRET_PLANT_1", "$1"));
    assertThat(runner.withSecrets("'a ${secret:mqtt} b' = '${secret:plant-1}' ${x}"))
        .isEqualTo("'a it''s b' = '$1' ${x}");
  }

  @Test
  void aSecretWithoutAValueIsNamedWithWhatToDo() {
    assertThatThrownBy(() -> runner(Map.of()).withSecrets("'${secret:plant-1}'"))
        .hasMessage(
            "the secret plant-1 has no value: set SEDGE_SECRET_PLANT_1 in the environment of the"
                + " JobManager, or send it with --secrets-file");
  }

  @Test
  void noMessageShowsTheValueOfASecret() {
    ScriptRunner runner = runner(Map.of("SEDGE_SECRET_A", "hunter2"));
    var _ = runner.withSecrets("'${secret:a}'");
    assertThat(
            runner.messages(
                new IllegalStateException("no login", new RuntimeException("bad hunter2 here"))))
        .isEqualTo("no login: bad ${secret:a} here");
  }

  @Test
  void aValueIsNotShownInPartNorAsAStringOfSql() {
    ScriptRunner runner =
        runner(
            Map.of("SEDGE_SECRET_A", "hun", "SEDGE_SECRET_B", "hunter2", "SEDGE_SECRET_C", "i't"));
    var _ = runner.withSecrets("'${secret:a}${secret:b}${secret:c}'");
    assertThat(runner.messages(new IllegalStateException("hunter2 hun 'k'='i''t' i't")))
        .isEqualTo("${secret:b} ${secret:a} 'k'='${secret:c}' ${secret:c}");
  }

  @Test
  void messagesOfCausesAreSaidOnceEach() {
    Throwable inner = new RuntimeException("inner");
    assertThat(runner(Map.of()).messages(new RuntimeException("inner", inner))).isEqualTo("inner");
    assertThat(runner(Map.of()).messages(new RuntimeException(null, inner)))
        .isEqualTo("java.lang.RuntimeException: inner");
  }
}
