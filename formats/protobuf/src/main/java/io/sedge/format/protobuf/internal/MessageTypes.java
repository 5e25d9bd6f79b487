package io.sedge.format.protobuf.internal;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.connector.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The types of messages of a set of descriptors, by their names. Immutable. */
public final class MessageTypes {
  private static final long MAX_FILE_BYTES = 16 << 20;
  private static final String REMEDY =
      "make it with: protoc --include_imports --descriptor_set_out=FILE X.proto";

  private final Map<String, Descriptor> byName = new LinkedHashMap<>();

  /** The names in the .proto files, for messages. */
  private final List<String> names = new ArrayList<>();

  private MessageTypes() {}

  /**
   * Reads a file of descriptors.
   *
   * @param option that names the file
   * @throws ConnectorException of kind USER if it is none, or of kind FILE if it cannot be read
   */
  public static MessageTypes read(Options options, String option) {
    FileDescriptorSet set;
    try {
      Path file = Path.of(options.string(option));
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw options.wrong(
            option,
            "is larger than %d bytes, so it is no set of descriptors".formatted(MAX_FILE_BYTES));
      }
      set = FileDescriptorSet.parseFrom(Files.readAllBytes(file));
    } catch (InvalidProtocolBufferException e) {
      throw options.wrong(option, "is no set of descriptors; " + REMEDY);
    } catch (InvalidPathException e) {
      throw options.wrong(option, "is no path: " + e.getReason());
    } catch (IOException e) {
      ConnectorException wrong = options.wrong(option, "cannot be read: " + e);
      throw new ConnectorException(
          ConnectorException.Kind.FILE, String.valueOf(wrong.getMessage()), e);
    }
    Map<String, FileDescriptorProto> files = new HashMap<>();
    set.getFileList().forEach(file -> files.put(file.getName(), file));
    Map<String, FileDescriptor> built = new HashMap<>();
    MessageTypes types = new MessageTypes();
    try {
      for (FileDescriptorProto file : set.getFileList()) {
        types.add(build(file, files, built, 0));
      }
    } catch (DescriptorValidationException | IllegalArgumentException e) {
      throw options.wrong(
          option, "is no set of descriptors: %s; %s".formatted(e.getMessage(), REMEDY));
    }
    return types;
  }

  /** A file after those that it imports. */
  private static FileDescriptor build(
      FileDescriptorProto file,
      Map<String, FileDescriptorProto> files,
      Map<String, FileDescriptor> built,
      int depth)
      throws DescriptorValidationException {
    FileDescriptor known = built.get(file.getName());
    if (known != null) {
      return known;
    }
    if (depth > files.size()) {
      throw new IllegalArgumentException("%s imports itself".formatted(file.getName()));
    }
    List<FileDescriptor> imports = new ArrayList<>();
    for (String name : file.getDependencyList()) {
      FileDescriptorProto imported = files.get(name);
      if (imported == null) {
        throw new IllegalArgumentException(
            "it lacks %s, which %s imports".formatted(name, file.getName()));
      }
      imports.add(build(imported, files, built, depth + 1));
    }
    FileDescriptor made = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
    built.put(file.getName(), made);
    return made;
  }

  private void add(FileDescriptor file) {
    FileOptions options = file.getOptions();
    String javaPackage = options.hasJavaPackage() ? options.getJavaPackage() : file.getPackage();
    String prefix = javaPackage.isEmpty() ? "" : javaPackage + ".";
    for (Descriptor message : file.getMessageTypes()) {
      add(
          message,
          options.getJavaMultipleFiles()
              ? prefix + message.getName()
              : prefix + outerClass(file) + "$" + message.getName());
    }
  }

  private void add(Descriptor message, String className) {
    byName.put(message.getFullName(), message);
    byName.put(className, message);
    names.add(message.getFullName());
    for (Descriptor nested : message.getNestedTypes()) {
      if (!nested.getOptions().getMapEntry()) {
        add(nested, className + "$" + nested.getName());
      }
    }
  }

  /** As protoc names the class of a file whose messages have none of their own. */
  private static String outerClass(FileDescriptor file) {
    if (file.getOptions().hasJavaOuterClassname()) {
      return file.getOptions().getJavaOuterClassname();
    }
    String path = file.getName();
    String base = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.proto$", "");
    StringBuilder name = new StringBuilder();
    for (String word : base.split("[^A-Za-z0-9]+", -1)) {
      if (!word.isEmpty()) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
    String outer = name.toString();
    boolean taken =
        file.getMessageTypes().stream().anyMatch(type -> type.getName().equals(outer))
            || file.getEnumTypes().stream().anyMatch(type -> type.getName().equals(outer))
            || file.getServices().stream().anyMatch(type -> type.getName().equals(outer));
    return taken ? outer + "OuterClass" : outer;
  }

  /**
   * A type by its name in the .proto file, or that of its class.
   *
   * @param option that has the name
   * @throws ConnectorException of kind USER if there is none
   */
  public Descriptor message(Options options, String option) {
    String name = options.string(option).strip();
    Descriptor found = byName.get(name);
    if (found == null) {
      String help =
          Suggestions.closest(name, byName.keySet())
              .map("did you mean '%s'?"::formatted)
              .orElse("there are " + String.join(", ", names.stream().limit(20).toList()));
      throw options.wrong(option, "is no message of the set of descriptors; " + help);
    }
    return found;
  }
}
