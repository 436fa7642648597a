import theme from 'vitepress/theme-without-fonts';
import './style.css';

/** The usual theme, with the fonts of the reader's system: the site requests nothing from elsewhere. */
export default theme;
