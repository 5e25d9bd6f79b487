package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A script as it was read.
 *
 * @param file as the user wrote it, for messages
 * @param directory what relative paths in it are relative to: where the command was given, as
 *     shells have it
 */
record Script(String file, String text, Path directory) {
  /** The name of standard input. */
  static final String STANDARD_INPUT = "-";

  /** A statement takes some hundred times its length while it is compiled. */
  private static final int MAX_BYTES = 1 << 20;

  /** Reads a script; {@code -} is standard input. */
  static Script read(String file, Surroundings surroundings) throws JobException {
    try {
      boolean typed = file.equals(STANDARD_INPUT);
      Path path = surroundings.directory().resolve(file);
      if (!typed && Files.isDirectory(path)) {
        throw new JobException(
            FailureCode.FILE_NOT_READABLE, "%s is a directory, not a script".formatted(file));
      }
      String text = typed ? text(surroundings.in(), "stdin") : text(path, file);
      return new Script(typed ? "stdin" : file, text, surroundings.directory());
    } catch (NoSuchFileException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "there is no file %s".formatted(file), e);
    } catch (AccessDeniedException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "%s cannot be read: this user may not".formatted(file), e);
    } catch (CharacterCodingException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "%s is not text in UTF-8".formatted(file), e);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "%s cannot be read: %s".formatted(file, e), e);
    }
  }

  private static String text(Path path, String file) throws IOException, JobException {
    try (InputStream input = Files.newInputStream(path)) {
      return text(input, file);
    }
  }

  private static String text(InputStream input, String file) throws IOException, JobException {
    byte[] bytes = input.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "%s is larger than %,d bytes, which no script may be: is it one?"
              .formatted(file, MAX_BYTES));
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /**
   * Compiles it.
   *
   * @param settings take precedence over what the script SETs
   */
  Job compile(Connectors connectors, Surroundings surroundings, Map<String, String> settings)
      throws SqlException {
    return compile(connectors, surroundings, settings, FileAccess.EVERYTHING);
  }

  /**
   * The same where a script may not load every file.
   *
   * @param files which jars and files of models it may read
   */
  Job compile(
      Connectors connectors,
      Surroundings surroundings,
      Map<String, String> settings,
      FileAccess files)
      throws SqlException {
    return compile(connectors, surroundings, settings, files, ScriptFiles.in(directory, files));
  }

  /**
   * The same with jars and models from somewhere else.
   *
   * @param scriptFiles where they are
   */
  Job compile(
      Connectors connectors,
      Surroundings surroundings,
      Map<String, String> settings,
      FileAccess files,
      ScriptFiles scriptFiles)
      throws SqlException {
    SqlCompiler compiler =
        new SqlCompiler(
            connectors.byName(),
            connectors.formats().byName(),
            ModelProviders.installed(Script.class.getClassLoader()),
            surroundings.clock(),
            files);
    return compiler.compile(name(), text, directory, settings, scriptFiles);
  }

  /** The last part of the path. */
  String name() {
    Path fileName = Path.of(file).getFileName();
    return fileName == null ? file : fileName.toString();
  }

  List<String> lines() {
    return text.lines().toList();
  }
}
