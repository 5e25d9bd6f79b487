package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Counts the GPUs of this host by asking NVIDIA's tool; a host without the tool, or with one that
 * fails, has none.
 */
final class NvidiaSmi implements IntSupplier {
  private static final int TIMEOUT_S = 20;
  private static final int MOST_BYTES = 1 << 16;

  private final String program;

  NvidiaSmi(String program) {
    this.program = program;
  }

  @Override
  public int getAsInt() {
    try {
      Process process =
          new ProcessBuilder(program, "--list-gpus")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new ClusterResolutionException(
            Reason.UNREACHABLE, program + " --list-gpus did not end within " + TIMEOUT_S + " s");
      }
      return process.exitValue() == 0 ? count(process) : 0;
    } catch (IOException e) {
      return 0; // no such program: no such GPUs
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterResolutionException(
          Reason.UNREACHABLE, "interrupted while waiting for " + program, e);
    }
  }

  private static int count(Process process) throws IOException {
    String list =
        new String(process.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    return (int) list.lines().filter(line -> line.startsWith("GPU ")).count();
  }
}
