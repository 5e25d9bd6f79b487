package io.sedge.center.store;

import io.sedge.center.store.AccessTokens.Role;
import java.util.List;
import java.util.Optional;

/** Those who have a permission, by name. Any thread. */
public interface Permitted {
  /** Gives somebody another role at the same sites; whether there is somebody of that name. */
  boolean role(String name, Role role) throws StoreException;

  /** Gives somebody other sites, empty for all, and the same role; whether there is somebody. */
  boolean sites(String name, Optional<List<String>> sites) throws StoreException;

  /** Gives somebody a role at sites; whether there is somebody of that name. */
  boolean permit(String name, Permission permission) throws StoreException;
}
