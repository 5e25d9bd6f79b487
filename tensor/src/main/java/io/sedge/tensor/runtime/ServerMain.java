package io.sedge.tensor.runtime;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.tensorflow.proto.ServerDef;

/**
 * The program of a {@link ServerProcess}: one server, for as long as whoever started it lives.
 *
 * <p>Reads from standard input the length of a {@link ServerDef} (four bytes, big-endian), then the
 * definition; writes a line that says how starting went; then waits for the end of standard input,
 * which is when it was told to end, or its parent died, and halts. TensorFlow's server cannot be
 * ended in any other way.
 */
final class ServerMain {
  /** Before the target, on a line of its own, once the server serves. */
  static final String READY = "sedge-server ready ";

  /** Before the code and the message, on a line of its own, if it cannot. */
  static final String FAILED = "sedge-server failed ";

  static final int EXIT_FAILED = 3;
  private static final int MOST_DEFINITION_BYTES = 16 << 20;

  private ServerMain() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int exit = 0;
    try {
      DataInputStream in = new DataInputStream(System.in);
      Server server = Server.start(ServerTask.from(definition(in)));
      out.println(READY + server.target());
      drain(in);
    } catch (TensorFlowStatusException e) {
      out.println(FAILED + e.code() + " " + oneLine(e.description()));
      exit = EXIT_FAILED;
    } catch (RuntimeException | LinkageError e) {
      out.println(FAILED + StatusCode.INTERNAL + " " + oneLine(e.toString()));
      exit = EXIT_FAILED;
    }
    // Shutdown hooks would wait for threads that TensorFlow does not end.
    Runtime.getRuntime().halt(exit);
  }

  private static ServerDef definition(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_DEFINITION_BYTES) {
      throw new IllegalArgumentException(
          "A definition of " + length + " bytes is not from 0 to " + MOST_DEFINITION_BYTES);
    }
    return ServerDef.parseFrom(in.readNBytes(length));
  }

  private static void drain(InputStream in) {
    try {
      while (in.read() >= 0) {
        // What is sent after the definition means nothing.
      }
    } catch (IOException e) {
      // A broken pipe is the end as well.
    }
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }
}
