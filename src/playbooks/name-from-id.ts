/** The last part of an id: the name of a playbook that gives itself none, and of a skill's folder. */
export function nameFromId(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
