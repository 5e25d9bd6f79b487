package io.sedge.flink.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TracesTest {
  private static final String ANSWER =
      """
      org.apache.flink.runtime.rest.handler.RestHandlerException: Could not execute application.
      \tat org.apache.flink.runtime.webmonitor.handlers.JarRunHandler.lambda$handleRequest$1(JarRunHandler.java:114)
      Caused by: org.apache.flink.client.program.ProgramInvocationException: The main method caused an error: line 3: no
      \tat org.apache.flink.client.program.PackagedProgram.callMainMethod(PackagedProgram.java:372)
      \t... 7 more
      Caused by: io.sedge.flink.runner.ScriptException: line 3: Cannot discover a connector:

      Available are:
      blackhole
      Caused by: org.apache.flink.table.api.ValidationException: Cannot discover a connector
      \tat org.apache.flink.table.factories.FactoryUtil.x(FactoryUtil.java:1)
      """;

  @Test
  void whatTheRunnerSaidIsFoundInAnAnswer() {
    assertThat(Traces.refusal(ANSWER))
        .hasValue("line 3: Cannot discover a connector: Available are: blackhole");
  }

  @Test
  void theInnermostCauseIsSaidWithoutItsClass() {
    assertThat(Traces.cause(ANSWER)).isEqualTo("Cannot discover a connector");
    assertThat(Traces.cause("java.lang.IllegalStateException: no\n\tat A.b(A.java:1)"))
        .isEqualTo("no");
    assertThat(Traces.cause("java.lang.OutOfMemoryError")).isEqualTo("java.lang.OutOfMemoryError");
  }

  @Test
  void anAnswerOfAnotherKindIsNoRefusal() {
    assertThat(Traces.refusal("Not enough slots")).isEmpty();
  }
}
