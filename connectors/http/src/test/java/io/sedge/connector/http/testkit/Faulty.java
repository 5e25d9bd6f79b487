package io.sedge.connector.http.testkit;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A server that answers as it is told, and keeps what it was asked. */
public final class Faulty implements AutoCloseable {
  private final WireMockServer server;

  /** Without TLS, at a port that is free. */
  public Faulty() {
    this(WireMockConfiguration.wireMockConfig().dynamicPort());
  }

  /** As it is set up. */
  public Faulty(WireMockConfiguration configuration) {
    server = new WireMockServer(configuration);
    server.start();
  }

  /** For what is answered by rules. */
  public WireMockServer rules() {
    return server;
  }

  /** The address of a path. */
  public String url(String path) {
    return server.baseUrl() + path;
  }

  /** Whatever it is asked, it answers so, one after the other, and with the last from then on. */
  public void answers(ResponseDefinitionBuilder... answers) {
    for (int i = 0; i < answers.length; i++) {
      server.stubFor(
          any(anyUrl())
              .inScenario("answers")
              .whenScenarioStateIs(state(i))
              .willReturn(answers[i])
              .willSetStateTo(state(Math.min(i + 1, answers.length - 1))));
    }
  }

  private static String state(int answered) {
    return answered == 0 ? Scenario.STARTED : "after " + answered;
  }

  /** Whatever it is asked, it takes it. */
  public void takesAll() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200)));
  }

  /** What it was asked, in order. */
  public List<LoggedRequest> requests() {
    List<LoggedRequest> requests = new ArrayList<>();
    server
        .getAllServeEvents()
        .forEach(event -> requests.add(LoggedRequest.createFrom(event.getRequest())));
    Collections.reverse(requests);
    return requests;
  }

  @Override
  public void close() {
    server.stop();
  }
}
