package io.sedge.system.testkit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A center that has started in the directory {@code center}, and what it has answered: secrets it
 * shows in a terminal or in an answer alone, as what it says otherwise may be a log.
 */
public record StartedCenter(SedgeProcess process) {
  /** Starts it, or starts it again. */
  public static StartedCenter at(Sedge sedge, String listen) {
    SedgeProcess process =
        sedge.start("center", "start", "--data", "center", "--listen", listen, "--output", "json");
    process.until(() -> String.join("", process.out()).endsWith("}"), () -> "its answer");
    return new StartedCenter(process);
  }

  /** The token for the first site; only if no site reports yet. */
  public String token() {
    return answered("token");
  }

  /** The link by which the first person becomes an admin; only if there is none yet. */
  public String link() {
    return answered("console");
  }

  /** Where the console is. */
  public String address() {
    return answered("api");
  }

  private String answered(String key) {
    Matcher matcher =
        Pattern.compile("\"%s\" ?: ?\"([^\"]+)\"".formatted(key))
            .matcher(String.join("", process.out()));
    if (!matcher.find()) {
      throw new AssertionError("no %s in%n%s".formatted(key, process));
    }
    return matcher.group(1);
  }
}
