package io.sedge.flink;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * The program that runs scripts on Flink: requests on standard input, answers on standard output,
 * all else on standard error. A process of its own because Flink has Calcite classes of its own
 * under Calcite's names.
 *
 * <p>A request is a script and a list of queries; the answer is a list with the rows of each query,
 * or a text where it failed ({@link FlinkScripts#run}); or {@link FlinkJoin#REQUEST} and tables,
 * and a list of a query and steps ({@link FlinkJoin#run}), with a list of one result. The end of
 * standard input ends the process.
 */
public final class FlinkProcess {
  private FlinkProcess() {}

  public static void main(String[] args) throws IOException {
    DataInputStream input = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream output = new DataOutputStream(new BufferedOutputStream(System.out));
    System.setOut(new PrintStream(System.err, true));
    try (FlinkScripts flink = new FlinkScripts()) {
      while (true) {
        String script;
        try {
          script = Wire.text(input);
        } catch (EOFException e) {
          break;
        }
        List<String> queries = queries(input);
        Wire.write(
            script.startsWith(FlinkJoin.REQUEST)
                ? List.of(
                    FlinkJoin.run(
                        script.substring(FlinkJoin.REQUEST.length()),
                        queries.getFirst(),
                        queries.subList(1, queries.size())))
                : flink.run(script, queries),
            output);
        output.flush();
      }
    }
    System.exit(0); // Flink leaves threads behind
  }

  private static List<String> queries(DataInputStream input) throws IOException {
    if (!(Wire.read(input) instanceof List<?> queries)) {
      throw new IOException("a request without its list of queries");
    }
    return queries.stream().map(String.class::cast).toList();
  }
}
