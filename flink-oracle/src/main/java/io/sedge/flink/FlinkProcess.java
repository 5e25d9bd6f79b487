package io.sedge.flink;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The program that runs scripts on Flink: requests on standard input, answers on standard output,
 * all else on standard error. A process of its own because Flink has Calcite classes of its own
 * under Calcite's names.
 *
 * <p>A request is {@code 'S'} (streaming) or {@code 'B'} (batch), then the script. An answer is
 * {@code 'R'} and the rows of each query, or {@code 'E'} and the messages of the failure, outermost
 * first.
 */
public final class FlinkProcess {
  private FlinkProcess() {}

  public static void main(String[] args) throws IOException {
    DataInputStream input = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream output = new DataOutputStream(new BufferedOutputStream(System.out));
    System.setOut(new PrintStream(System.err, true));
    while (true) {
      int mode;
      try {
        mode = input.readByte();
      } catch (EOFException e) {
        System.exit(0);
        return;
      }
      answer(new FlinkScripts(mode == 'S'), Wire.text(input), output);
      output.flush();
    }
  }

  private static void answer(FlinkScripts flink, String script, DataOutputStream output)
      throws IOException {
    List<List<List<@Nullable Object>>> results;
    try {
      results = flink.run(script);
    } catch (RuntimeException
        | LinkageError
        | AssertionError e) { // what Flink throws, the tests read
      StringBuilder messages = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        messages.append(cause).append('\n');
      }
      output.writeByte('E');
      Wire.writeText(messages.toString(), output);
      return;
    }
    output.writeByte('R');
    Wire.write(results, output);
  }
}
