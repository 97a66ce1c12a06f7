// The default theme, with a menu of versions in the navigation.
import { h } from "vue";
import DefaultTheme from "vitepress/theme";
import Versions from "./Versions.vue";

export default {
	extends: DefaultTheme,
	Layout: () => h(DefaultTheme.Layout, null, { "nav-bar-content-before": () => h(Versions) }),
};
