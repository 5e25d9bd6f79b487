// Each role may do what those before it may.
export const ROLES = ['viewer', 'operator', 'engineer', 'admin'];
