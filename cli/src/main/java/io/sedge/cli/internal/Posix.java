package io.sedge.cli.internal;

import io.sedge.cli.internal.output.LiveTable;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Two calls of the C library that Java has no name for. Where they are not there (not a POSIX
 * system) the size is that of the classic terminal, and a second Ctrl-C does nothing.
 */
public final class Posix {
  private static final LiveTable.Size CLASSIC = new LiveTable.Size(80, 24);
  private static final int STANDARD_OUTPUT = 1;
  private static final int SIGINT = 2;
  private static final long TIOCGWINSZ_LINUX = 0x5413;
  private static final long TIOCGWINSZ_BSD = 0x40087468;

  private Posix() {}

  /** The size of the terminal that standard output is. */
  public static LiveTable.Size screen() {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle ioctl =
          handle(
              "ioctl",
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(2));
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      boolean linux = System.getProperty("os.name").startsWith("Linux");
      int result =
          (int) ioctl.invokeExact(STANDARD_OUTPUT, linux ? TIOCGWINSZ_LINUX : TIOCGWINSZ_BSD, size);
      int rows = size.getAtIndex(ValueLayout.JAVA_SHORT, 0) & 0xffff;
      int columns = size.getAtIndex(ValueLayout.JAVA_SHORT, 1) & 0xffff;
      return result != 0 || rows == 0 || columns == 0 ? CLASSIC : new LiveTable.Size(columns, rows);
    } catch (Throwable e) {
      // Declared by invokeExact; and a system without the call has no size to tell.
      return CLASSIC;
    }
  }

  /** Gives SIGINT back to the system: the next Ctrl-C ends the process at once. */
  public static void defaultInterrupt() {
    try {
      MethodHandle signal =
          handle(
              "signal",
              FunctionDescriptor.of(
                  ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
      MemorySegment unusedBefore = (MemorySegment) signal.invokeExact(SIGINT, MemorySegment.NULL);
      if (unusedBefore.address() == -1) {
        throw new IllegalStateException("SIGINT cannot be set");
      }
    } catch (Throwable e) {
      // Without it a second Ctrl-C waits for the end that the first one asked for; that is bounded.
      return;
    }
  }

  @SuppressWarnings("restricted") // The launcher enables native access.
  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }
}
