/**
 * A Terraform workspace. Terraform takes every name that is the same in the path of a URL. Backends make folders and keys of
 * it, so the names that mean a folder themselves are none of ours.
 */
export const WORKSPACE = /^(?!\.{1,2}$)[\w.~-]{1,90}$/;

export const WORKSPACE_EXPECTED =
  'a Terraform workspace: letters, digits, ".", "_", "~", "-", at most 90, but neither "." nor ".."';
