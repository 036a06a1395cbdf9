/** Where symbolic links and submodules lead the files and folders that are inputs. */
import { defined } from '@nereid/domain/defined';
import { followLinks, type Links } from '../links.ts';
import { createBelow, directoryOf } from '../paths.ts';

export interface Linked {
  readonly places: readonly string[];
  /** A link that leaves the repository. */
  readonly leaving?: string;
}

/** Adds, to the places below which everything is an input, those that they lead to, and these lead to, and so on. */
export function createLinkFollower(
  links: Links,
  submodules: ReadonlySet<string>,
): (places: readonly string[]) => Linked {
  if (links.size === 0 && submodules.size === 0) return () => ({ places: [] });
  const linksIn = createBelow(links.keys());

  return (places) => {
    const known = new Set(places);
    const found = new Set<string>();
    let leaving: string | undefined;
    const add = (place: string) => {
      if (!known.has(place)) found.add(place);
      known.add(place);
    };
    // The set of known places grows during the loop; every place comes only once.
    for (const place of known) {
      const followed = followLinks(place, links);
      if (followed.kind === 'outside') leaving ??= followed.link;
      else for (const each of [followed.path, ...followed.through]) add(each);
      for (let at = place; at !== '.'; at = directoryOf(at)) if (submodules.has(at)) add(at);
      for (const link of linksIn(place)) add(link);
    }
    return { places: [...found], ...defined({ leaving }) };
  };
}
