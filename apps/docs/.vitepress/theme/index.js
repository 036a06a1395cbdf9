// Without its fonts: those of the reader's machine take no file.
export { default } from 'vitepress/theme-without-fonts';
import './site.css';
